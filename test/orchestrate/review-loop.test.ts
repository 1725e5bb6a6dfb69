/** Each gate in turn says NEEDS_WORK three times; a person goes on each time. */
import { afterAll, beforeAll, describe, expect } from "vitest";
import { answerAsk } from "../../src/runtime/asks/answer.ts";
import { verifies } from "../verifies.ts";
import { answers } from "./turns.ts";
import {
  createWorld,
  eventsOf,
  golden,
  willing,
  type Answer,
  type CassetteFile,
  type Driven,
  type TurnFile,
  type World,
} from "./world.ts";

const issue = (gate: number, round: number) => `gate ${gate} finds fault number ${round * 11}`;
const fields = [
  "SUGGESTIONS: none",
  "COVERAGE_CHECK: YES\nRED_PHASE_CHECK: YES",
  "EXECUTION_CHECK: YES\nCODE_QUALITY: fine\nSECURITY_ISSUES: none",
];

async function cassette(): Promise<CassetteFile> {
  const { roles, ...rest } = await golden();
  const always = (turns: readonly TurnFile[]): TurnFile[] => [{ ...turns.at(-1), repeat: true }];
  const gemini = [1, 2, 3].flatMap((gate) => [
    ...[1, 2, 3].map((round) =>
      answers(`VERDICT: NEEDS_WORK\n${fields[gate - 1]}\nISSUES:\n- ${issue(gate, round)}`),
    ),
    ...roles.gemini.slice(gate - 1, gate),
  ]);
  const claude = [0, 1, 2].flatMap((gate) => Array.from({ length: 4 }, () => roles.claude[gate] ?? {}));
  return {
    ...rest,
    roles: {
      ...roles,
      planner: always(roles.planner),
      tester: always(roles.tester),
      coder: always(roles.coder),
      gemini,
      claude,
    },
  };
}

describe("a reviewer that is never content", () => {
  let world: World;
  let driven: Driven;
  const codes: number[] = [];
  beforeAll(async () => {
    world = await createWorld();
    const by = { answeredBy: "file", authenticated: false, who: "a test" } as const;
    const goOn: Answer = async (context, ask) => {
      if (ask.as !== "escalated") return willing(context, ask);
      codes.push((await world.cli(["watch", context.run])).code);
      const last = context.session.view.breakers.length === 3;
      return last ? null : answerAsk(context, { ask, outcome: "context", text: "go on", by });
    };
    driven = await world.go(await cassette(), goOn);
  }, 180_000);
  afterAll(() => world.remove());

  verifies(
    "ORC-75",
    "the third NEEDS_WORK at one gate stops the run, naming the gate and the open issues; each gate counts for itself",
    () => {
      expect(codes).toEqual([4, 4, 4]);
      const trips = eventsOf(driven.events, "breaker.tripped");
      expect(trips.map(({ trigger, attempts, max }) => `${trigger} ${attempts}/${max}`)).toEqual(
        [1, 2, 3].map((gate) => `REVIEW LOOP EXCEEDED (gate ${gate}) 3/3`),
      );
      expect(trips.map(({ lastError }) => lastError)).toEqual(
        [1, 2, 3].map((gate) => `Gemini: ${issue(gate, 3)}`),
      );
      const given = eventsOf(driven.events, "review.given").filter(({ reviewer }) => reviewer === "gemini");
      expect(given.map(({ gate, verdict }) => `${gate} ${verdict}`)).toEqual(
        [1, 2, 3].flatMap((gate) => [
          ...Array.from({ length: 3 }, () => `${gate} NEEDS_WORK`),
          ...(gate === 3 ? [] : [`${gate} APPROVED`]),
        ]),
      );
      expect(driven.end).toMatchObject({ type: "waiting", asks: [{ trip: { counter: "gate3", limit: 3 } }] });
      const { text } = eventsOf(driven.events, "ask.shown").at(-1) ?? { text: "" };
      expect(text).toContain(`Last error: Gemini: ${issue(3, 3)}`);
    },
  );
});
