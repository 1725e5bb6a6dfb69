/** A review loop that does not converge is seen: findings keep their ids and the breaker shows the counts (CORE-78). */
import { afterAll, beforeAll, expect } from "vitest";
import { verifies } from "../verifies.ts";
import { createWorld, eventsOf, golden, willing, type Driven, type TurnFile, type World } from "./world.ts";

let world: World;
let driven: Driven;

const needsWork = (...issues: readonly string[]) =>
  `VERDICT: NEEDS_WORK\nISSUES:\n${issues.map((issue) => `- ${issue}`).join("\n")}\nSUGGESTIONS: none`;

beforeAll(async () => {
  world = await createWorld();
  const cassette = await golden();
  const [plan] = cassette.roles.planner;
  const [approve] = cassette.roles.claude;
  const rounds: TurnFile[] = [
    { does: [{ say: needsWork("FR1 has no limit on length", "the error of ERR1 is not named") }] },
    {
      // From the second review on the reviewer is given its open findings.
      expects: ["[gemini-1] FR1 has no limit on length", "[gemini-2] the error of ERR1 is not named"],
      does: [{ say: needsWork("[gemini-1] FR1 still has no limit on length", "EC2 names no separator") }],
    },
    {
      expects: ["[gemini-1] FR1 has no limit on length", "[gemini-3] EC2 names no separator"],
      forbids: ["[gemini-2]"],
      does: [{ say: needsWork("[gemini-2] the error of ERR1 is not named again") }],
    },
  ];
  driven = await world.go(
    {
      ...cassette,
      roles: {
        ...cassette.roles,
        planner: [{ ...plan, repeat: true }],
        gemini: rounds,
        claude: [{ ...approve, repeat: true }],
      },
    },
    willing,
  );
}, 60_000);
afterAll(() => world.remove());

verifies(
  "CORE-78",
  "findings keep their ids over three rounds, are marked, and there is no fourth round",
  () => {
    const told = eventsOf(driven.events, "findings.tracked").filter(({ reviewer }) => reviewer === "gemini");
    expect(told.map(({ findings }) => findings.map(({ id, status }) => `${id} ${status}`))).toEqual([
      ["gemini-1 new", "gemini-2 new"],
      ["gemini-1 open", "gemini-2 fixed", "gemini-3 new"],
      ["gemini-1 fixed", "gemini-2 regression", "gemini-3 fixed"],
    ]);
    expect(driven.end).toMatchObject({
      type: "waiting",
      asks: [{ text: "REVIEW LOOP EXCEEDED", as: "escalated", trip: { counter: "gate1", limit: 3 } }],
    });
    expect(
      eventsOf(driven.events, "review.given").filter(({ reviewer }) => reviewer === "gemini"),
    ).toHaveLength(3);
  },
);

verifies("CORE-78", "the breaker's block shows the counts by round", () => {
  const text = eventsOf(driven.events, "ask.shown").at(-1)?.text ?? "";
  expect(text).toContain("Trigger: REVIEW LOOP EXCEEDED (gate 1)");
  expect(text).toContain("Attempts: 3/3");
  expect(text.split("\n").filter((line) => line.trim().startsWith("round "))).toEqual([
    "  round 1: 2 new, 0 open, 0 fixed, 0 regression",
    "  round 2: 1 new, 1 open, 1 fixed, 0 regression",
    "  round 3: 0 new, 0 open, 2 fixed, 1 regression",
  ]);
});
