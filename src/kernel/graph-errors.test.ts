import { describe, expect, test } from "vitest";
import { verifies } from "../../test/verifies.ts";
import {
  answers,
  graph,
  leafTo,
  pathTo,
  rootWith,
  commandLines,
  scaffoldNode,
  tested,
} from "./fixtures/graph.ts";
import type { Play } from "./fixtures/play.ts";
import { faultsOf } from "../testing/invariants.ts";
import { outcomesAt } from "./routing.ts";
import { frameCopy } from "./thaw.ts";
import { machineOf } from "./turn.ts";
import { stateOf, waitingFor } from "./spots.ts";

const a = pathTo("a");
const b = pathTo("b");

/** Child `a` with a sibling, at one of the dispatches of its five nodes. */
const places: Readonly<Record<string, () => Play>> = {
  scaffold: () => root(),
  "work/tests/write_tests": () => at("work/tests/write_tests"),
  impl: () => at("impl"),
  review: () => at("review"),
  judge: () => at("judge"),
  merger: () => at("merger"),
  "sibling_merged/rebaser": () => {
    const run = root();
    leafTo(run, b, "publish");
    scaffoldNode(run, a);
    run.answer(`${a}work/tests/write_tests`, "TestsReady");
    run.answer(`${b}publish`, "done");
    run.answer(`${a}work/tests/tests_gate`, "pass");
    run.answer(`${a}sibling_merged/rebase`, "repair");
    return run;
  },
};

function root(): Play {
  const run = rootWith("a", "b");
  answers(run, "", tested);
  return run;
}
function at(place: Parameters<typeof leafTo>[2]): Play {
  const run = root();
  leafTo(run, a, place);
  return run;
}

describe.each(Object.entries(places))("%s", (place, begin) => {
  verifies("V3-14", "continues from every exit and every error, or ends", () => {
    const first = begin();
    const command = first.state().open.find(({ path }) => path === `${a}${place}`);
    const spot = command && waitingFor(frameCopy(first.state(), command.frame), command.key);
    const state = spot && stateOf({ protocol: graph }, spot);
    const outcomes =
      spot && state ? outcomesAt(graph, machineOf({ protocol: graph }, spot.frame), state) : [];
    expect(outcomes).toEqual(expect.arrayContaining(["ME", "TO", "EX", "BL", "EN", "inconclusive"]));
    for (const outcome of outcomes) {
      const run = begin();
      run.answer(`${a}${place}`, outcome);
      expect([outcome, faultsOf(graph, run.state())]).toEqual([outcome, []]);
      expect([outcome, run.latest().length > 0]).toEqual([outcome, true]);
    }
  });

  verifies("V3-14", "is retried once in a fresh process after TO or EX, then fails its node at once", () => {
    for (const [one, two] of [
      ["TO", "TO"],
      ["EX", "EX"],
      ["TO", "EX"],
    ] as const) {
      const run = begin();
      run.answer(`${a}${place}`, one, { payload: "sha256:first" });
      expect(commandLines(run.latest()).map((each) => each.split(" ").slice(0, 2))).toEqual([
        ["dispatch", `${a}${place}`],
      ]);
      expect(run.latest()[0]).toMatchObject({
        thread: { type: "fresh" },
        counters: { retry: { value: 2 } },
      });
      run.answer(`${a}${place}`, two);
      expect(commandLines(run.latest())).toContain("dispatch scaffold");
      expect(run.state().frames["work/children/children/a"]?.outcome).toBe("failed.agent");
    }
  });

  verifies("V3-14", "continues without history after ME and reports it; BL and EN end the node", () => {
    const run = begin();
    run.answer(`${a}${place}`, "ME");
    expect(run.latest()[0]).toMatchObject({ path: `${a}${place}`, thread: { type: "fresh" } });
    expect(run.latest()[0]?.causes.at(-1)?.outcome).toBe("ME");
    for (const code of ["BL", "EN"]) {
      const blocked = begin();
      blocked.answer(`${a}${place}`, code);
      expect(blocked.state().frames["work/children/children/a"]?.outcome).toBe("failed.stuck");
      expect(commandLines(blocked.latest())).toContain("dispatch scaffold");
    }
  });

  test("pauses if it could not be executed, counts no attempt, and is repeated", () => {
    const run = begin();
    const before = run.state().frames["work/children/children/a"]?.counters;
    run.answer(`${a}${place}`, "inconclusive");
    const [ask] = run.latest();
    expect(ask).toMatchObject({ type: "ask", to: "person", as: "inconclusive", answers: ["resume"] });
    run.answer(ask?.path ?? "", "resume");
    expect(run.latest().map(({ path }) => path)).toEqual([`${a}${place}`]);
    expect(run.state().frames["work/children/children/a"]?.counters).toEqual(before);
  });
});
