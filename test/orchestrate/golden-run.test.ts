/** One golden run, looked at from many sides. */
import { afterAll, beforeAll, describe, expect } from "vitest";
import { verifies } from "../verifies.ts";
import { createWorld, eventsOf, golden, phasesEntered, type Driven, type World } from "./world.ts";

describe("the golden run", () => {
  let world: World;
  let driven: Driven;
  beforeAll(async () => {
    world = await createWorld();
    driven = await world.go(await golden());
  }, 60_000);
  afterAll(() => world.remove());

  verifies("ORC-06", "passes exactly the ten phases in their order and completes each", () => {
    const ten = [
      "1 INTAKE",
      "2 PLANNING",
      "3 PLAN_DUAL_REVIEW",
      "4 USER_GATE_PLAN",
      "5 TDD_RED",
      "6 TEST_DUAL_REVIEW",
      "7 TDD_GREEN",
      "8 CODE_DUAL_REVIEW",
      "9 USER_GATE_CODE",
      "10 SUMMARY",
    ];
    expect(driven.end).toEqual({ type: "ended", outcome: "complete" });
    expect(phasesEntered(driven.events)).toEqual(ten);
    expect(eventsOf(driven.events, "phase.completed").map(({ phase }) => phase)).toEqual(ten);
  });
});
