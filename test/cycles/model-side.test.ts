/**
 * Whatever a model reports and writes: no tool and no file approves a gate, answers for a person, resets a counter or
 * changes protected files, and its reported test results are never used (CORE-85, CORE-86).
 */
import fc from "fast-check";
import { beforeAll, expect } from "vitest";
import type { NextStep } from "../../src/referee/advance.ts";
import { maxMessageBytes } from "../../src/mcp/bounded-input.ts";
import { callIn } from "../cli/here.ts";
import { inCi, verifies, verifiesInCi } from "../verifies.ts";
import { eventsOf } from "../orchestrate/world.ts";
import { newest } from "./by-settling.ts";
import { playUntil, seatByProgram, sessionWorld, type ProgramSeat } from "./referee-world.ts";
import { oneCycle } from "./world.ts";

let seat: ProgramSeat;
beforeAll(async () => {
  seat = await seatByProgram(await sessionWorld("dptr"));
  await playUntil(seat, "Ω₅ᵀ", await oneCycle());
});

const code = (text: string) => /^error\[(\w+)\]/u.exec(text)?.[1] ?? text;
/** Everything that decides: the kernel's state, gate verdicts, frozen and proven work, and the settings of the run. */
const decisive = async () => {
  const { session, settings } = await newest(seat.world);
  const { judged, frozen, records, commits, head, cyclesDone, asks, ended, documents } = session.view;
  return {
    state: session.state,
    judged,
    frozen,
    records,
    commits,
    head,
    cyclesDone,
    asks,
    ended,
    documents,
    settings,
  };
};

const word = fc.constantFrom(
  ..."approve|reject|pass|fail|waive|reset|APPROVED|PA|GC|ACCEPT|RTC|revise|review|context|cycle_red|red_gate|cycles/C1/red#1|limits.plan_rounds|Ω₁ᴾ|Ω₃ᴾ|Ω₆ⱽ|O5T|test/slugify.test.js".split(
    "|",
  ),
  "",
  "../../etc",
  "\u0000",
  "x".repeat(5000),
);
const anything = fc.oneof(
  word,
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.array(word, { maxLength: 2 }),
  fc.dictionary(word, word, { maxKeys: 3 }),
);
/** Arguments with the tools' own names and with unknown names. */
const args = fc.dictionary(
  fc.constantFrom(
    "mode",
    "ctx",
    "status",
    "message",
    "payload",
    "pattern",
    "after",
    "limit",
    "to",
    "summary",
    "gate",
    "verdict",
    "counter",
    "approve",
    "entities",
    "observations",
    "entityNames",
    "deletions",
    "relations",
    "query",
    "names",
  ),
  anything,
  { maxKeys: 4 },
);
const files = fc.record({
  path: fc.constantFrom(
    "mettle.yaml",
    ".mettle/protocols/dptr.yaml",
    ".mettle/templates/qa.md",
    ".mettle/gates/approve",
    ".claude/settings.json",
    ".claude/commands/approve.md",
    ".claude/agents/qa.md",
  ),
  content: fc.oneof(
    word,
    fc.constant(
      "version: 1\nlimits: { plan_rounds: 50, refactor_passes: 50 }\npaths: { tests: [], source: ['**'] }\nsandbox: off\n",
    ),
    fc.constant('{"approved_by": "person", "verdict": "pass", "hooks": {}}\n'),
  ),
});

/** Valid arguments of each tool. */
const validCalls: readonly (readonly [string, fc.Arbitrary<Record<string, unknown>>])[] = [
  ["enter", fc.record({ mode: word, ctx: word }, { requiredKeys: ["mode"] })],
  ["report", fc.record({ status: word, message: word, payload: anything }, { requiredKeys: ["status"] })],
  ["handoff", fc.record({ to: word, summary: word })],
  ["query", fc.record({ pattern: fc.constantFrom("OBS[*,*,*,*]", "OBS[SPLAN_1,*,*,*]", "OBS[*,R-1,*,*]") })],
  ["observe", fc.record({ content: word })],
  ["delete_entities", fc.record({ entityNames: fc.array(word) })],
];

/** Calls of every tool except those that end a role's dispatch with one of its codes. */
async function fuzz(seed: number, count: number): Promise<number> {
  const { tools } = await seat.mcp.listTools();
  const misshapen = fc.record({ tool: fc.constantFrom(...tools.map(({ name }) => name)), args });
  const call = fc.oneof(
    misshapen,
    ...validCalls.map(([tool, shape]) => fc.record({ tool: fc.constant(tool), args: shape })),
  );
  let refused = 0;
  for (const step of fc.sample(fc.oneof({ arbitrary: call, weight: 5 }, { arbitrary: files, weight: 1 }), {
    numRuns: count,
    seed,
  })) {
    if ("path" in step) await seat.world.repository.write({ [step.path]: step.content });
    else {
      const { isError } = await seat.mcp.callTool({ name: step.tool, arguments: step.args });
      if (isError === true) refused += 1;
    }
  }
  return refused;
}

verifiesInCi(
  "CORE-86",
  "while a role works, no other call and no file changes the run or the basis of its gates",
  async () => {
    const before = await decisive();
    expect(await fuzz(1, 150)).toBeGreaterThan(60);
    expect(await decisive()).toEqual(before);
  },
);

verifies(
  "CORE-85",
  "a skipped phase, a second report and reported test results are refused with the next valid step",
  async () => {
    const { state } = await decisive();
    expect(await seat.call("next")).toMatchObject({
      type: "dispatch",
      line: expect.stringMatching(/^QA\[.*,P:ℜ\]$/u),
      codes: ["RC", "BL", "ME", "TO", "EX"],
      prompt: expect.stringContaining("slugify"),
    });
    expect(await seat.refused("enter", { mode: "Ω₆ⱽ" })).toMatch(
      /^error\[cycles_open\].*\nerror\[mode_mismatch\].*\nhint: call next/u,
    );
    const told = { message: "all tests pass", payload: { exit_code: 0, passed: 2, record: "x/1" } };
    expect(await seat.refused("report", { status: "GC", ...told })).toMatch(
      /^error\[code_not_allowed\].*\nhint: report one of: RC, BL, ME, TO, EX$/u,
    );
    expect((await decisive()).state).toEqual(state);
    await seat.world.repository.write({ "mettle.yaml": "version: 1\n" });
    await seat.call("report", { status: "RC", ...told, message: "2 tests fail, EXIT_CODE: 1" });
    expect(code(await seat.refused("report", { status: "RC", ...told }))).toBe("already_reported");
    expect(await seat.call("next")).toMatchObject({
      type: "waiting",
      question: expect.stringContaining("red_gate: "),
      commands: expect.arrayContaining([expect.stringMatching(/^mettle answer \w+ review/u)]),
    });
    const journal = await seat.events();
    // As in the driver's journal.
    expect(eventsOf(journal, "result").at(-2)).toMatchObject({
      outcome: "RC",
      text: "2 tests fail, EXIT_CODE: 1",
    });
    const [gate, ...others] = eventsOf(journal, "gate.judged");
    expect([gate, others]).toEqual([expect.objectContaining({ gate: "cycle_red", verdict: "fail" }), []]);
    expect(gate?.reasons.join("\n")).toContain("mettle.yaml");
    const view = (await newest(seat.world)).session.view;
    expect([view.frozen, view.head.red, view.cyclesDone]).toEqual([null, null, []]);
  },
);

verifiesInCi("CORE-86", "while a question to a person is open, no call and no file answers it", async () => {
  const before = await decisive();
  const waiting = (await seat.call("next")) as NextStep;
  expect(waiting).toMatchObject({
    type: "waiting",
    commands: expect.arrayContaining([expect.stringMatching(/^mettle /u)]),
  });
  expect(await fuzz(2, 150)).toBeGreaterThan(60);
  expect(await decisive()).toEqual(before);
  expect(await seat.call("next")).toEqual(waiting);
});

verifies(
  "CORE-86",
  "no command of an agent answers, and a person's answer is marked as not authenticated",
  async () => {
    const { run } = await newest(seat.world);
    const before = await decisive();
    const agents = await callIn(seat.world, ["answer", run, "review"], { env: { METTLE_DISPATCH: "1" } });
    expect([agents.code, agents.stderr]).toEqual([
      1,
      expect.stringMatching(/^error\[agent_cannot_approve\]/u),
    ]);
    expect(await decisive()).toEqual(before);
    await callIn(seat.world, ["answer", run, "review"]);
    expect(eventsOf(await seat.events(), "result").find(({ by }) => by !== undefined)).toMatchObject({
      outcome: "review",
      by: { answeredBy: "file", authenticated: false },
    });
    // What decides is outside of the session's checkout.
    expect(seat.world.home.startsWith(seat.world.repository.dir)).toBe(false);
  },
);

inCi("a message of 50 MB is refused and the next call is answered", async () => {
  const content = "x".repeat(5 * maxMessageBytes);
  const lost = seat.mcp.callTool({ name: "observe", arguments: { content } }, undefined, { timeout: 3000 });
  await expect(lost).rejects.toThrow();
  expect(await seat.call("status")).toMatchObject({ run: expect.any(String) });
});

inCi("a flood of calls is answered call by call, and moves nothing", async () => {
  const before = await decisive();
  const told = await Promise.all(
    Array.from({ length: 100 }, (_, index) =>
      index % 2 === 0 ? seat.call("status") : seat.refused("report", { status: "RC" }),
    ),
  );
  expect(told.length).toBe(100);
  expect(await decisive()).toEqual(before);
});
