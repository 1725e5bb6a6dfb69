/** Two NEEDS_WORK at gate 1 and three at gate 2, whose findings are tracked; the kernel's tests cover every gate. */
import { beforeAll, describe, expect } from "vitest";
import { callIn } from "../cli/here.ts";
import { verifies } from "../verifies.ts";
import { answers } from "./turns.ts";
import {
  createWorld,
  eventsOf,
  golden,
  type CassetteFile,
  type DriveResult,
  type TurnFile,
  type World,
} from "./world.ts";

const planFields = "SUGGESTIONS: none";
const testFields = "COVERAGE_CHECK: YES\nRED_PHASE_CHECK: YES";
const needsWork = (fields: string, ...issues: readonly string[]): TurnFile =>
  answers(`VERDICT: NEEDS_WORK\n${fields}\nISSUES:\n${issues.map((issue) => `- ${issue}`).join("\n")}`);

/** The first reviewer's answers about the tests, and the expected prompts. */
const rounds: readonly TurnFile[] = [
  needsWork(testFields, "FR1 has no long text", "the error of ERR1 is not named"),
  {
    // From the second review on the reviewer gets its open findings.
    expects: ["[gemini-1] FR1 has no long text", "[gemini-2] the error of ERR1 is not named"],
    ...needsWork(testFields, "FR1 still has no long text", "EC2 names no separator"),
  },
  {
    expects: ["[gemini-1] FR1 has no long text", "[gemini-3] EC2 names no separator"],
    forbids: ["[gemini-2]"],
    // Recognized by its id alone, since its text is new.
    ...needsWork(testFields, "[gemini-2] which exception does it throw?"),
  },
];

async function cassette(): Promise<CassetteFile> {
  const { roles, ...rest } = await golden();
  const always = (turns: readonly TurnFile[]): TurnFile[] => [{ ...turns.at(-1), repeat: true }];
  const gemini = [
    needsWork(planFields, "a fault of the plan"),
    needsWork(planFields, "another fault of the plan"),
    ...roles.gemini.slice(0, 1),
    ...rounds,
  ];
  const claude = [0, 1].flatMap((gate) => Array.from({ length: 3 }, () => roles.claude[gate] ?? {}));
  return {
    ...rest,
    roles: { ...roles, planner: always(roles.planner), tester: always(roles.tester), gemini, claude },
  };
}

describe("a reviewer that is never satisfied", () => {
  let world: World;
  let driven: DriveResult;
  beforeAll(async () => {
    world = await createWorld();
    driven = await world.go(await cassette());
  });

  verifies(
    "ORC-75",
    "the third NEEDS_WORK at one gate stops the run with the gate and its open issues; those of another do not count",
    async () => {
      const { run, events, end } = driven;
      const given = eventsOf(events, "review.given").filter(({ reviewer }) => reviewer === "gemini");
      expect(given.map(({ gate, verdict }) => `${gate} ${verdict}`)).toEqual([
        "1 NEEDS_WORK",
        "1 NEEDS_WORK",
        "1 APPROVED",
        "2 NEEDS_WORK",
        "2 NEEDS_WORK",
        "2 NEEDS_WORK",
      ]);
      const lastError = "Gemini: [gemini-2] which exception does it throw?";
      expect(eventsOf(events, "breaker.tripped")).toMatchObject([
        { trigger: "REVIEW LOOP EXCEEDED (gate 2)", attempts: 3, max: 3, lastError },
      ]);
      expect(end).toMatchObject({
        type: "waiting",
        asks: [{ text: "REVIEW LOOP EXCEEDED", as: "escalated", trip: { counter: "gate2", limit: 3 } }],
      });
      const again = await callIn(world, ["resume", run]);
      expect([again.code, again.stdout]).toMatchObject([
        4,
        expect.stringContaining(`Last error: ${lastError}`),
      ]);
    },
  );

  verifies("CORE-78", "findings keep their ids over three rounds, are marked, and there is no fourth", () => {
    const told = eventsOf(driven.events, "findings.tracked").filter(
      ({ reviewer, gate }) => reviewer === "gemini" && gate === 2,
    );
    expect(told.map(({ findings }) => findings.map(({ id, status }) => `${id} ${status}`))).toEqual([
      ["gemini-1 new", "gemini-2 new"],
      ["gemini-1 open", "gemini-2 fixed", "gemini-3 new"],
      ["gemini-1 fixed", "gemini-2 regression", "gemini-3 fixed"],
    ]);
  });

  verifies("CORE-78", "the breaker's block shows the counts by round", () => {
    const text = eventsOf(driven.events, "ask.shown").at(-1)?.text ?? "";
    expect(text).toContain("Trigger: REVIEW LOOP EXCEEDED (gate 2)");
    expect(text).toContain("Attempts: 3/3");
    expect(text.split("\n").filter((line) => line.trim().startsWith("round "))).toEqual([
      "  round 1: 2 new, 0 open, 0 fixed, 0 regression",
      "  round 2: 1 new, 1 open, 1 fixed, 0 regression",
      "  round 3: 0 new, 0 open, 2 fixed, 1 regression",
    ]);
  });
});
