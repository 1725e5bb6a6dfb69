/** Answers that come from elsewhere: while another process drives the run, and before anything was shown. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AppError } from "../../src/lib/errors.ts";
import { waitingAsks } from "../../src/kernel/inspect.ts";
import { answerAsk } from "../../src/runtime/asks/answer.ts";
import { recorded } from "../../src/runtime/list-runs.ts";
import { openRun } from "../../src/runtime/open-run.ts";
import { verifies } from "../verifies.ts";
import { answers } from "./turns.ts";
import { driveWatched } from "./watched.ts";
import { absent, createWorld, eventsOf, golden, willingOnly, type Called, type World } from "./world.ts";

describe("a run that one process drives and another one answers", () => {
  let world: World;
  let run = "";
  let driving: Called;
  let answering: Called;
  beforeAll(async () => {
    world = await createWorld();
    const cassette = await golden();
    const { roles } = cassette;
    const answered = join(world.home, "answered");
    roles.gemini = [answers("looks fine to me"), ...roles.gemini];
    // The second reviewer is at work until the question about the first one is answered.
    roles.claude[0]?.does?.unshift({ shell: `while ! test -e ${answered}; do sleep 0.1; done` });
    run = await world.start(cassette);
    await world.drive(run, absent);
    const driven = world.cli(["answer", run, ...["Q1", "Q2", "Q3", "Q4", "Q5"].map((id) => `${id}=yes`)]);
    await shown("plan_review/gemini/unreadable#1");
    answering = await world.cli(["answer", run, "again", "--json"]);
    await writeFile(answered, "");
    driving = await driven;
  }, 60_000);
  afterAll(() => world.remove());

  verifies("CORE-73", "takes the answer of a second terminal into the process that drives", async () => {
    expect(answering.code).toBe(0);
    expect(answering.json()).toMatchObject({ run, answered: true, owner: expect.any(Number) });
    expect(driving.code).toBe(3);
    expect(driving.stdout).toContain("PLAN SUMMARY");
    const events = (await world.host.journal.read(run)).map(recorded);
    const answer = eventsOf(events, "result").find(({ outcome }) => outcome === "again");
    expect(answer?.by).toMatchObject({ answeredBy: "file", who: expect.any(String) });
    expect(eventsOf(events, "dispatch.started").filter(({ role }) => role === "gemini")).toHaveLength(2);
  });

  test("refuses to approve a plan that was never shown", async () => {
    const other = await world.start(await golden());
    await driveWatched(world, other, {
      answer: willingOnly("questions"),
      on: (event) => (event.type === "phase.completed" && event.phase.startsWith("3") ? "stop" : undefined),
    });
    const context = await openRun(world.host, { run: other });
    const [ask] = waitingAsks(context.session.state);
    expect(ask?.state).toBe("user_gate_plan");
    const by = { answeredBy: "file", authenticated: false, who: "a person" } as const;
    const approving = ask ? answerAsk(context, { ask, outcome: "approve", by }) : null;
    await expect(approving).rejects.toMatchObject({
      code: "approval_stale",
      message: "it has not been shown yet",
    } satisfies Partial<AppError>);
  });

  /** Resolves when the ask stands in the journal as shown. */
  async function shown(key: string): Promise<void> {
    for (let attempt = 0; attempt < 300; attempt += 1) {
      const events = (await world.host.journal.read(run)).map(recorded);
      if (eventsOf(events, "ask.shown").some((event) => event.key === key)) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`${key} was never shown`);
  }
});
