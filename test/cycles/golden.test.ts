/** One whole run of riper, two cycles of which the first disagrees once, looked at from every side. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Recorded } from "../../src/kernel/run-event.ts";
import { verifies } from "../verifies.ts";
import { eventsOf, type Driven, type World } from "../orchestrate/world.ts";
import { createCyclesWorld, dispatchLines, goCycles, observations, twoCycles } from "./world.ts";

let world: World;
let driven: Driven;
beforeAll(async () => {
  world = await createCyclesWorld();
  driven = await goCycles(world, "riper", await twoCycles());
}, 120_000);
afterAll(() => world.remove());

/** Dispatches, observations of the Main Thread, verdicts and cycles' ends of one cycle, in the order of the journal. */
function story(events: readonly Recorded[], session: string): readonly string[] {
  return events.flatMap((event): readonly string[] => {
    switch (event.type) {
      case "session.opened":
        return event.session === session ? ["opened"] : [];
      case "command.issued":
        return event.line?.includes(session) === true ? [event.line.replace(session, "{sid}")] : [];
      case "observed":
        return event.session === session && event.agent === "MT" ? [`R${event.round} ${event.excerpt}`] : [];
      case "cycle.completed":
        return session.endsWith(`_C${event.cycle}`) ? ["✅"] : [];
      case "session.closed":
        return event.session === session ? ["closed"] : [];
      default:
        return [];
    }
  });
}

function sessions(kind: "plan_loop" | "tdd_loop"): readonly string[] {
  return eventsOf(driven.events, "session.opened").flatMap((event) =>
    event.kind === kind ? [event.session] : [],
  );
}

describe("the cycles", () => {
  verifies(
    "TDP-22",
    "a cycle that agrees at once tells its story in the seed's order, each observation at the round before it is raised",
    () => {
      const [, second = ""] = sessions("tdd_loop");
      expect(story(driven.events, second)).toEqual([
        "opened",
        "R0 Give the first letter of each word in upper case. phase:RED",
        "QA[S{sid},R0,C2,P:ℜ]",
        "R0 phase:GREEN",
        "DE[S{sid},R0,C2,P:ℜᴳ]",
        "R1 REFACTOR phase started",
        "QA[S{sid},R1,C2,P:ℜᶠᵗ]",
        "R1 QA refactor complete",
        "DE[S{sid},R2,C2,P:ℜᶠⁱ]",
        "R2 DE refactor complete",
        "DE[S{sid},R3,C2,P:review_tests,CTX:review_qa_work]",
        "R3 DE review of tests: APPROVED",
        "QA[S{sid},R4,C2,P:review_impl,CTX:review_de_work]",
        "R4 QA review of impl: APPROVED",
        "R5 Test results: pass",
        "✅",
        "R6 REFACTOR converged",
        "closed",
      ]);
    },
  );

  verifies(
    "TDP-23",
    "one NEEDS_CHANGE walks the pass to its end and begins another one, which converges",
    () => {
      const [first = ""] = sessions("tdd_loop");
      const told = story(driven.events, first);
      expect(told.slice(told.indexOf("R4 QA review of impl: NEEDS_CHANGE"))).toEqual([
        "R4 QA review of impl: NEEDS_CHANGE",
        "R5 Test results: pass",
        "R6 Need another iteration",
        "QA[S{sid},R7,C1,P:ℜᶠᵗ]",
        "R7 QA refactor complete",
        "DE[S{sid},R8,C1,P:ℜᶠⁱ]",
        "R8 DE refactor complete",
        "DE[S{sid},R9,C1,P:review_tests,CTX:review_qa_work]",
        "R9 DE review of tests: APPROVED",
        "QA[S{sid},R10,C1,P:review_impl,CTX:review_de_work]",
        "R10 QA review of impl: APPROVED",
        "R11 Test results: pass",
        "✅",
        "R12 REFACTOR converged",
        "closed",
      ]);
    },
  );

  verifies(
    "TDP-08",
    "cycles run one after another in the plan's order, and the review comes after the last",
    () => {
      const lines = dispatchLines(driven.events);
      const numbers = lines.flatMap((line) => /,C(\d+),/u.exec(line)?.[1] ?? []);
      expect(numbers.join("")).toMatch(/^1+2+$/u);
      expect(new Set(sessions("tdd_loop")).size).toBe(2);
      expect(lines.at(-1)).toBe("Ω₆ⱽ[]");
      const done = eventsOf(driven.events, "cycle.completed");
      expect(done.map(({ cycle }) => cycle)).toEqual([1, 2]);
      const review = eventsOf(driven.events, "command.issued").find(({ line }) => line === "Ω₆ⱽ[]");
      expect(review?.seq).toBeGreaterThan(done[1]?.seq ?? Number.POSITIVE_INFINITY);
    },
  );

  test("an agent's observations are its own, at the round of its dispatch", () => {
    expect(observations(driven.events)).toEqual(
      expect.arrayContaining([
        "R0 Ω₃ᴾ: One cycle for each module; slugify first.",
        "R0 Ω₄ᶜ: Each cycle can be tested alone.",
        "R0 QA: Two tests, both fail: slugify is not there.",
      ]),
    );
  });
});

describe("the commits", () => {
  verifies(
    "TDP-57",
    "each accepted phase is one commit with trailers, on the run's own branch, and the user's stays",
    async () => {
      const { repository } = world;
      const log = await repository.git(
        "log",
        "--format=%s|%(trailers:key=Mettle-Cycle,valueonly,separator=%x2C)|%(trailers:key=Mettle-Phase,valueonly,separator=%x2C)",
        `mettle/${driven.run}/result`,
      );
      expect(log.trim().split("\n").slice(0, -1).toReversed()).toEqual([
        "Add failing tests: Add slugify(text)|1|ℜ",
        "Stub what the tests load: Add slugify(text)||",
        "Make the tests pass: Add slugify(text)|1|ℜᴳ",
        "Refactor the tests: Add slugify(text)|1|ℜᶠᵗ",
        "Refactor the implementation: Add slugify(text)|1|ℜᶠⁱ",
        "Refactor the tests: Add slugify(text)|1|ℜᶠᵗ",
        "Refactor the implementation: Add slugify(text)|1|ℜᶠⁱ",
        "Add failing tests: Add slugify(text)|2|ℜ",
        "Stub what the tests load: Add slugify(text)||",
        "Make the tests pass: Add slugify(text)|2|ℜᴳ",
        "Refactor the tests: Add slugify(text)|2|ℜᶠᵗ",
        "Refactor the implementation: Add slugify(text)|2|ℜᶠⁱ",
      ]);
      expect((await repository.git("rev-parse", "HEAD")).trim()).toBe(driven.context.started.base);
    },
  );
});
