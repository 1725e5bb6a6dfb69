/** In the driver a conversation that fills its context is restarted, uncharged and at most twice per phase. */
import { beforeAll, describe, expect } from "vitest";
import { verifies } from "../verifies.ts";
import { answerNone, createWorld, eventsOf, golden, type CassetteFile, type World } from "./world.ts";

/** Intake turns that report these shares of their context before they ask. */
async function withContextShares(...shares: readonly number[]): Promise<CassetteFile> {
  const cassette = await golden();
  const [ask] = cassette.roles.intake;
  const turns = shares.map((context) => ({ ...ask, does: [{ usage: { context } }, ...(ask?.does ?? [])] }));
  return { ...cassette, roles: { ...cassette.roles, intake: turns } };
}

describe("a context that is more than 80 % full", { tags: "ci" }, () => {
  let world: World;
  beforeAll(async () => void (world = await createWorld()));

  verifies(
    "ORC-79",
    "restarts the phase in a fresh conversation at 81 % and not at 79 %, and charges nothing",
    async () => {
      const { events, end } = await world.go(await withContextShares(0.81, 0.79), answerNone);
      const [first, second, ...rest] = eventsOf(events, "dispatch.started");
      expect(rest).toEqual([]);
      expect(eventsOf(events, "result").map(({ outcome }) => outcome)).toEqual(["CF", "QUESTIONS", "pass"]);
      expect(second?.conversation).not.toBe(first?.conversation);
      expect(second?.resumed).toBe(false);
      expect(end).toMatchObject({
        type: "waiting",
        asks: [{ state: "questions", counters: { documents: { value: 1 } } }],
      });
    },
  );

  verifies("ORC-79", "trips the breaker at the third restart", async () => {
    const { events, end } = await world.go(await withContextShares(0.9, 0.9, 0.9), answerNone);
    expect(eventsOf(events, "dispatch.started")).toHaveLength(3);
    expect(end).toMatchObject({
      type: "waiting",
      asks: [{ text: "Context over 80 % full", as: "escalated", trip: { counter: "restarts", limit: 2 } }],
    });
  });
});
