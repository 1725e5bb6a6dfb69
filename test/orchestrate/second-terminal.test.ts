/**
 * Answers from another process: while one drives the run, and before anything was shown.
 * @module-tag ci
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect } from "vitest";
import type { AskCommand } from "../../src/kernel/command.ts";
import { waitingAsks } from "../../src/kernel/inspect.ts";
import { answerAsk } from "../../src/engine/asks/answer.ts";
import { showAsk } from "../../src/engine/asks/show.ts";
import type { RunContext } from "../../src/run/context.ts";
import { recorded } from "../../src/run/list-runs.ts";
import { openRun } from "../../src/families/open-run.ts";
import { verifies } from "../verifies.ts";
import { answers } from "./turns.ts";
import { driveWatched, promptsOf } from "./watched.ts";
import {
  answerNone,
  createWorld,
  eventsOf,
  golden,
  answerOnly,
  type CliResult,
  type DriveResult,
  type World,
} from "./world.ts";

const aPerson = { answeredBy: "file", authenticated: false, who: "a person" } as const;

describe("a run that one process drives and another one answers", () => {
  let world: World;
  let run = "";
  let driving: CliResult;
  let answering: CliResult;
  beforeAll(async () => {
    world = await createWorld();
    const cassette = await golden();
    const { roles } = cassette;
    const answered = join(world.home, "answered");
    roles.gemini = [answers("looks fine to me"), ...roles.gemini];
    // The second reviewer works until the question about the first one is answered.
    roles.claude[0]?.does?.unshift({ shell: `while ! test -e ${answered}; do sleep 0.1; done` });
    run = await world.start(cassette);
    await world.drive(run, answerNone);
    const driven = world.cli(["answer", run, ...["Q1", "Q2", "Q3", "Q4", "Q5"].map((id) => `${id}=yes`)]);
    await shown("plan_review/gemini/unreadable#1");
    answering = await world.cli(["answer", run, "resume", "--json"]);
    await writeFile(answered, "");
    driving = await driven;
  });

  verifies("CORE-73", "applies the answer of a second terminal in the driving process", async () => {
    expect(answering.code).toBe(0);
    expect(answering.json()).toMatchObject({ run, answered: true, owner: expect.any(Number) });
    expect(driving.code).toBe(3);
    expect(driving.stdout).toContain("PLAN SUMMARY");
    const events = (await world.host.journal.read(run)).map(recorded);
    const answer = eventsOf(events, "result").find(({ outcome }) => outcome === "resume");
    expect(answer?.by).toMatchObject({ answeredBy: "file", who: expect.any(String) });
    expect(eventsOf(events, "dispatch.started").filter(({ role }) => role === "gemini")).toHaveLength(2);
  });

  describe("and another run, which stops before its plan is shown", () => {
    let other: DriveResult;
    let wondering: DriveResult;
    beforeAll(async () => {
      const cassette = await golden();
      const { roles } = cassette;
      roles.gemini = [answers("→BL: I don't know who may call it"), ...roles.gemini];
      const id = await world.start(cassette);
      wondering = await world.drive(id, answerOnly("questions"));
      const { context } = wondering;
      const ask = openAsk(context);
      await context.session.settle(
        ask.key,
        await answerAsk(context, { ask, outcome: "answer", text: "anybody may", by: aPerson }),
      );
      other = await driveWatched(world, id, {
        answer: answerOnly("questions"),
        on: (event) => (event.type === "phase.completed" && event.phase.startsWith("3") ? "stop" : undefined),
      });
    });

    verifies(
      "ORC-53",
      "passes the answer to the reviewer that asked, without a reminder and uncounted",
      async () => {
        expect(wondering.context.session.view.asks["plan_review/gemini/question#1"]?.text).toContain(
          "I don't know who may call it",
        );
        const [first, second] = await promptsOf(world, other.events, "gemini");
        expect(first).not.toContain("YOU ASKED");
        expect(second).toContain("YOU ASKED, AND A PERSON ANSWERED:\nanybody may\n");
        expect(eventsOf(other.events, "agent.nudged")).toEqual([]);
        expect(
          eventsOf(other.events, "review.given")
            .map(({ label, verdict }) => `${label} ${verdict}`)
            .sort(),
        ).toEqual(["Claude APPROVED", "Gemini APPROVED"]);
        for (const role of ["planner", "claude"])
          for (const prompt of await promptsOf(world, other.events, role))
            expect(prompt).not.toContain("anybody may");
      },
    );

    verifies(
      "CORE-73",
      "refuses to approve a plan that was never shown, and one whose reviews differ from those shown",
      async () => {
        const context = await openRun(world.host, { run: other.run });
        const ask = openAsk(context);
        expect(ask.state).toBe("user_gate_plan");
        const approve = () => answerAsk(context, { ask, outcome: "approve", by: aPerson });
        const stale = (message: string) => ({ code: "approval_stale", exitCode: 1, message });
        await expect(approve()).rejects.toMatchObject(stale("it has not been shown yet"));
        await showAsk(context, ask);
        expect(await approve()).toMatchObject({ outcome: "approve", by: aPerson });
        const review = eventsOf(other.events, "review.given").at(-1);
        if (review) await context.session.record([{ ...review, verdict: "NEEDS_WORK" }]);
        await expect(approve()).rejects.toMatchObject(stale("what was shown has changed"));
      },
    );
  });

  function openAsk(context: RunContext): AskCommand {
    const [ask] = waitingAsks(context.session.state);
    if (!ask) throw new Error("nothing waits");
    return ask;
  }

  /** Resolves when the ask is journaled as shown. */
  async function shown(key: string): Promise<void> {
    for (let attempt = 0; attempt < 300; attempt += 1) {
      const events = (await world.host.journal.read(run)).map(recorded);
      if (eventsOf(events, "ask.shown").some((event) => event.key === key)) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`${key} was never shown`);
  }
});
