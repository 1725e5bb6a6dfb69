/** Two NEEDS_WORK at gate 1 and three at gate 2; the kernel's tests walk every gate. */
import { afterAll, beforeAll, describe, expect } from "vitest";
import { verifies } from "../verifies.ts";
import { answers } from "./turns.ts";
import {
  createWorld,
  eventsOf,
  golden,
  type CassetteFile,
  type Driven,
  type TurnFile,
  type World,
} from "./world.ts";

const issue = (gate: number, round: number) => `gate ${gate} finds fault number ${round * 11}`;
const fields = ["SUGGESTIONS: none", "COVERAGE_CHECK: YES\nRED_PHASE_CHECK: YES"];

async function cassette(): Promise<CassetteFile> {
  const { roles, ...rest } = await golden();
  const always = (turns: readonly TurnFile[]): TurnFile[] => [{ ...turns.at(-1), repeat: true }];
  const needsWork = (gate: number, round: number): TurnFile =>
    answers(`VERDICT: NEEDS_WORK\n${fields[gate - 1]}\nISSUES:\n- ${issue(gate, round)}`);
  const gemini = [
    needsWork(1, 1),
    needsWork(1, 2),
    ...roles.gemini.slice(0, 1),
    ...[1, 2, 3].map((round) => needsWork(2, round)),
  ];
  const claude = [0, 1].flatMap((gate) => Array.from({ length: 3 }, () => roles.claude[gate] ?? {}));
  return {
    ...rest,
    roles: {
      ...roles,
      planner: always(roles.planner),
      tester: always(roles.tester),
      gemini,
      claude,
    },
  };
}

describe("a reviewer that is never content", () => {
  let world: World;
  let driven: Driven;
  beforeAll(async () => {
    world = await createWorld();
    driven = await world.go(await cassette());
  }, 120_000);
  afterAll(() => world.remove());

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
      expect(eventsOf(events, "breaker.tripped")).toMatchObject([
        {
          trigger: "REVIEW LOOP EXCEEDED (gate 2)",
          attempts: 3,
          max: 3,
          lastError: `Gemini: ${issue(2, 3)}`,
        },
      ]);
      expect(end).toMatchObject({ type: "waiting", asks: [{ trip: { counter: "gate2", limit: 3 } }] });
      const again = await world.cli(["resume", run]);
      expect([again.code, again.stdout]).toMatchObject([
        4,
        expect.stringContaining(`Last error: Gemini: ${issue(2, 3)}`),
      ]);
    },
  );
});
