/** A session of the real Claude Code leads riper by slash commands, set up by `init`, with a scripted model. */
import { beforeAll, expect, test } from "vitest";
import type { Recorded } from "../../src/log/run-event.ts";
import { recorded } from "../../src/run/list-runs.ts";
import { comparable } from "../cycles/comparable.ts";
import { createCyclesWorld, dispatchLines, goCycles, withoutSessionName } from "../cycles/world.ts";
import { eventsOf, type World } from "../orchestrate/world.ts";
import { conversationOf, type Entry } from "../support/conversation.ts";
import { startModelServer, type ModelServer } from "../support/model-server.ts";
import { withRealClaude } from "../support/real-agents.ts";
import { call, sessionModel, type SessionScript } from "../support/session-model.ts";
import { verifies } from "../verifies.ts";
import { environmentOf, initSessions, type Environment } from "./person-session.ts";
import { withForbiddenWrites, withInventedResults } from "../cycles/dialogue-cassettes.ts";
import { runAsPerson } from "../support/as-person.ts";

const task = "Add slugify(text)";
const begin = "Build slugify(text). Begin it with Mettle.";
const script: Omit<SessionScript, "cassette"> = {
  at: {
    [begin]: [
      { tools: [{ name: "ToolSearch", input: { query: "select:mcp__mettle__enter" } }] },
      call("enter", { mode: "Ω₁ᴾ", ctx: task }),
    ],
  },
  misled: { "R0,C1,P:ℜ]": "You are QA. Write the tests of slugify()." },
  twice: ["R0,C1,P:ℜ]"],
};
/** Prompts of the person, each in a new process that resumes the session; the first /rev comes too early. */
const typed = [
  begin,
  "/rev",
  "/arch-critic Λ₁",
  "/p",
  "/plan-critic",
  "/p",
  "/plan-critic",
  "/tdd-execute",
  "/rev",
] as const;

withRealClaude("a session of the real Claude Code in riper", (file) => {
  let world: World;
  let server: ModelServer;
  let env: Environment;
  let events: readonly Recorded[];
  const replies: string[] = [];
  beforeAll(async () => {
    server = await startModelServer();
    world = await createCyclesWorld();
    env = await environmentOf(world, server);
    await initSessions(world);
    server.scriptWith(
      sessionModel({ ...script, cassette: withForbiddenWrites(await withInventedResults()) }),
    );
    for (const [nth, words] of typed.entries()) replies.push(await say(words, nth > 0));
    const newest = (await world.host.journal.runs()).at(-1) ?? "";
    events = (await world.host.journal.read(newest)).map(recorded);
  }, 600_000);

  /** Sends one prompt in a new process; returns the last message. */
  const say = async (words: string, goesOn: boolean): Promise<string> => {
    const tools = "mcp__mettle,Agent,Read,Write,Edit,Bash";
    const argv = ["--print", "--allowedTools", tools, ...(goesOn ? ["--continue"] : [])];
    const result = await runAsPerson(file, argv, {
      cwd: world.repository.dir,
      input: words,
      env,
      timeoutMs: 120_000,
    });
    const stdout = result.stdout.toString("utf8").trim();
    expect(result.exitCode, `${words}: ${stdout}${result.stderr.toString("utf8")}`).toBe(0);
    return stdout;
  };
  const entries = () =>
    server.requests
      .map(conversationOf)
      .findLast(([first]) => first?.type === "user" && first.text === begin) ?? [];
  /** Refusals of the session's model, and of the sub-agent of one dispatch. */
  const refused = () => refusalsIn(entries());
  const refusedTo = (end: string) =>
    refusalsIn(
      server.requests
        .map(conversationOf)
        .findLast(([first]) => first?.type === "user" && lineOf(first.text).endsWith(end)) ?? [],
    );

  test("enters every mode by its slash command, to a proven end", () => {
    expect(JSON.parse(replies.at(-1) ?? "")).toMatchObject({
      type: "ended",
      outcome: "complete",
      reason: "proven",
    });
    expect(dispatchLines(events)).toEqual([
      "Ω₁ᴾ[]",
      "Ω₂ᴬ[CTX:Λ₁]",
      "Ω₂ᴬ[CTX:Λ₂:slugify]",
      "Ω₂ᴬ[CTX:Λ₂:initials]",
      "Ω₃ᴾ[S{sid},R0]",
      "Ω₄ᶜ[S{sid},R0]",
      "Ω₃ᴾ[S{sid},R1,CTX:revise]",
      "Ω₄ᶜ[S{sid},R1]",
      "QA[S{sid},R0,C1,P:ℜ]",
      "DE[S{sid},R0,C1,P:ℜᴳ]",
      "QA[S{sid},R1,C1,P:ℜᶠᵗ]",
      "DE[S{sid},R2,C1,P:ℜᶠⁱ]",
      "QA[S{sid},R3,C1,P:ℜᶠᵗ]",
      "DE[S{sid},R4,C1,P:ℜᶠⁱ]",
      "DE[S{sid},R5,C1,P:review_tests,CTX:review_qa_work]",
      "QA[S{sid},R6,C1,P:review_impl,CTX:review_de_work]",
      "Ω₆ⱽ[]",
    ]);
  });

  verifies(
    ["TDP-02", "CORE-85"],
    "skipped, repeated and invented steps are refused, and its journal equals that of the driver",
    async () => {
      expect(replies[1]).toContain("error[cycles_open]: Ω₆ⱽ cannot be entered");
      expect(refused()).toContainEqual(
        expect.stringMatching(/^mcp__mettle__report: error\[already_reported\]: QA\[.*P:ℜ\] is decided/u),
      );
      const judged = eventsOf(events, "gate.judged").map(({ gate, verdict }) => `${gate} ${verdict}`);
      expect(judged.filter((each) => each.startsWith("impl_refactor"))).toEqual([
        "impl_refactor fail",
        "impl_refactor pass",
      ]);
      const other = await createCyclesWorld();
      await initSessions(other);
      const driven = await goCycles(other, "riper", await withInventedResults(), { start: { task } });
      // Each process takes over the open dispatch of the one before.
      const own = events.filter(
        (event) => event.type !== "report.refused" && !(event.type === "dispatch.started" && event.resumed),
      );
      expect(comparable(own)).toEqual(comparable(driven.events));
    },
  );

  verifies("TDP-45", "its sub-agent starts only with the line of the open dispatch", () => {
    const denied = refused().filter((each) => each.startsWith("Agent: "));
    expect(denied).toEqual([
      expect.stringMatching(/Mettle: .*"You are QA\. Write.*must be QA\[.*,C1,P:ℜ\]$/u),
    ]);
  });

  verifies("TDP-46", "its sub-agents learn why a write is denied, and the rest of their work counts", () => {
    expect(refusedTo("R0,C1,P:ℜ]")).toEqual([
      expect.stringMatching(
        /^Write: .*Mettle: src\/slugify\.js may not be written: QA writes tests.*P:ℜ\]$/u,
      ),
    ]);
    const frozen = "Mettle: test/slugify.test.js may not be written: it is frozen with the tests";
    expect(refusedTo("R0,C1,P:ℜᴳ]")).toEqual([
      expect.stringMatching(new RegExp(`^Edit: .*${frozen}`, "u")),
      expect.stringMatching(new RegExp(`^Bash: .*${frozen}`, "u")),
    ]);
    expect(eventsOf(events, "outside.write")).toEqual([]);
  });

  verifies("TDP-46", "with an open dispatch its end is held once, and then allowed", () => {
    const held = entries().flatMap((entry) => (entry.type === "held" ? [entry.text] : []));
    const lines = held.map((text) =>
      withoutSessionName(/the dispatch (\S+) is open/u.exec(text)?.[1] ?? text),
    );
    expect(lines).toEqual([
      "Ω₂ᴬ[CTX:Λ₁]",
      "Ω₃ᴾ[S{sid},R0]",
      "Ω₄ᶜ[S{sid},R0]",
      "Ω₃ᴾ[S{sid},R1,CTX:revise]",
      "Ω₄ᶜ[S{sid},R1]",
      "QA[S{sid},R0,C1,P:ℜ]",
      "Ω₆ⱽ[]",
    ]);
    for (const text of held) expect(text).toMatch(/end it with the tool report[\s\S]*mettle abort/u);
  });

  test("a process that resumes it learns the state of the run", () => {
    const words =
      /hook additional context: Mettle: run \w+ is in hand, mode Ω₅ᵀ, sid TDD_\w+_C1, r 0, phase ℜ/u;
    expect(server.requests.some(({ body }) => words.test(body))).toBe(true);
  });
});

function refusalsIn(conversation: readonly Entry[]): readonly string[] {
  return conversation.flatMap((entry) =>
    entry.type === "answered" && entry.isError && /Mettle: |error\[/u.test(entry.text)
      ? [`${entry.tool}: ${entry.text}`]
      : [],
  );
}

function lineOf(prompt: string): string {
  return prompt.split("\n")[0] ?? "";
}
