import { describe, expect, test } from "vitest";
import { verifies } from "../../../test/verifies.ts";
import {
  answers,
  graph,
  items,
  leafTo,
  merged,
  pathTo,
  rooted,
  said,
  scaffolded,
  tested,
} from "../fixtures/graph.ts";
import { play, type Play } from "../fixtures/play.ts";
import { heldBy } from "../held.ts";
import { endingOf, waitingAsks } from "../inspect.ts";

const [a, b] = [pathTo("a"), pathTo("b")];
const frame = "work/children/children/a";
const impls = (run: Play) => run.commands.filter(({ path }) => path === "impl").length;

function mergeLeaf(run: Play, node: string): void {
  leafTo(run, node, "candidate");
  answers(run, node, merged);
}

describe("Impl", () => {
  verifies(
    "V3-15",
    "starts after the tests and every child, in either order, and says what it waits for",
    () => {
      const testsFirst = rooted("a");
      answers(testsFirst, "", tested);
      expect(heldBy(graph, testsFirst.state(), "main")).toEqual([
        { type: "region", name: "children", state: "children" },
        { type: "child", item: "a", outcome: null },
      ]);
      mergeLeaf(testsFirst, a);
      expect([impls(testsFirst), said(testsFirst.latest())]).toEqual([0, ["check work/children/contracts"]]);
      testsFirst.answer("contracts", "pass");
      expect(said(testsFirst.latest())).toEqual(["dispatch impl"]);

      const childFirst = rooted("a");
      mergeLeaf(childFirst, a);
      childFirst.answer("contracts", "pass");
      expect([impls(childFirst), heldBy(graph, childFirst.state(), "main")]).toEqual([
        0,
        [{ type: "region", name: "tests", state: "write_tests" }],
      ]);
      answers(childFirst, "", tested);
      expect(said(childFirst.latest())).toEqual(["dispatch impl"]);

      const alone = rooted();
      answers(alone, "", tested);
      expect(said(alone.latest())).toEqual(["dispatch impl"]);
    },
  );

  test("stays held while contracts break: the child that owns them goes on at its TDD until it has merged again", () => {
    const run = rooted("a", "b");
    answers(run, "", tested);
    leafTo(run, b, "publish");
    leafTo(run, a, "candidate");
    answers(run, b, [["publish", "done"]]);
    answers(run, a, [["sibling_merged/rebase", "RebaseClean"], ...merged]);
    run.answer("contracts", "fail", { items: items("a"), payload: "sha256:failing" });
    expect(said(run.latest())).toEqual([`rebase ${a}sibling_merged/rebase`]);
    run.answer(`${a}sibling_merged/rebase`, "RebaseClean");
    expect(run.latest()).toEqual([
      expect.objectContaining({
        path: `${a}work/tests/write_tests`,
        mode: "WriteTests",
        thread: { type: "continue" },
      }),
    ]);
    expect(run.latest()[0]?.causes.at(-1)?.payload).toBe("sha256:failing");
    answers(run, a, [
      ...tested,
      ["impl", "TestsPassed"],
      ["green_gate", "pass"],
      ["review", "Approved"],
      ...merged,
    ]);
    expect([impls(run), said(run.latest())]).toEqual([0, ["check work/children/contracts"]]);
    run.answer("contracts", "pass");
    expect(impls(run)).toBe(1);
  });
});

describe("a new InitWork", () => {
  test("leaves unchanged children alone, starts changed ones anew, and stops what was dropped", () => {
    const run = rooted("same", "changed", "dropped", "merged");
    mergeLeaf(run, pathTo("merged"));
    run.answer("work/tests/write_tests", "InvalidScaffold");
    run.answer("scaffold", "InitWork", {
      items: [...items("same", "merged"), { id: "changed", hash: "2" }],
    });
    run.answer("scaffold_gate", "pass");
    expect(said(run.latest())).toEqual([
      "dispatch work/tests/write_tests WriteTests",
      `cancel cancel/${pathTo("changed")}scaffold`,
      `cancel cancel/${pathTo("dropped")}scaffold`,
      "spawn work/children/children/changed",
      "dispatch work/children/children/changed~2/scaffold",
    ]);
    expect(run.latest().map(({ key }) => key)).toContain("work/children/children/changed#2");
    expect(run.open()).toContain(`${pathTo("same")}scaffold`);
  });
});

describe("a child that fails", () => {
  const failures: Readonly<Record<string, (run: Play) => void>> = {
    Reject: (run) => (leafTo(run, a, "review"), run.answer(`${a}review`, "Reject")),
    RejectedByParent: (run) => (leafTo(run, a, "judge"), run.answer(`${a}judge`, "Reject")),
    Stuck: (run) => (leafTo(run, a, "impl"), run.answer(`${a}impl`, "Stuck")),
    TO: (run) => (run.answer(`${a}scaffold`, "TO"), run.answer(`${a}scaffold`, "TO")),
    EX: (run) => (run.answer(`${a}scaffold`, "EX"), run.answer(`${a}scaffold`, "EX")),
    limit: (run) => {
      leafTo(run, a, "impl");
      for (let n = 1; n <= 5; n++) run.answer(`${a}impl`, "RequestRetry");
    },
    Aborted: (run) => void run.send({ type: "abort", frame }),
  };
  const told = Object.entries(failures).map(([reason, fail]) => {
    const run = rooted("a", "b");
    answers(run, "", tested);
    fail(run);
    const ending = endingOf(run.state(), frame);
    const path = ending?.exit?.path.slice(a.length);
    return { reason, run, told: [ending?.outcome, path, ending?.exit?.outcome, ending?.trip?.counter] };
  });

  verifies(
    "V3-24",
    "is told to the parent's Scaffold at once, whatever the cause, and disturbs no sibling",
    () => {
      for (const { run } of told) {
        expect(run.latest().at(-1)).toMatchObject({
          path: "scaffold",
          thread: { type: "continue" },
          causes: [{ path: frame }],
        });
        expect(run.open()).toEqual([`${b}scaffold`, "scaffold"]);
      }
      expect(Object.fromEntries(told.map((each) => [each.reason, each.told]))).toEqual({
        Reject: ["failed.rejected", "review", "Reject", undefined],
        RejectedByParent: ["failed.rejected_by_parent", "judge", "Reject", undefined],
        Stuck: ["failed.stuck", "impl", "Stuck", undefined],
        TO: ["failed.agent", "scaffold", "TO", undefined],
        EX: ["failed.agent", "scaffold", "EX", undefined],
        limit: ["failed.stuck", "impl", "RequestRetry", "attempt"],
        Aborted: ["failed.aborted", undefined, undefined, undefined],
      });
    },
  );

  verifies("V3-25", "begins anew, is left out, or is asked about further up, as Scaffold decides", () => {
    const decide = (exit: string, given: readonly string[]) => {
      const run = rooted("a", "b");
      answers(run, "", tested);
      failures["Stuck"]?.(run);
      run.answer("scaffold", exit, { items: items(...given) });
      if (exit === "InitWork") run.answer("scaffold_gate", "pass");
      return run.open();
    };
    const tests = "work/tests/write_tests";
    expect(decide("InitWork", ["a", "b"])).toEqual([
      `${b}scaffold`,
      tests,
      "work/children/children/a~2/scaffold",
    ]);
    expect(decide("InitWork", ["b"])).toEqual([`${b}scaffold`, tests]);
    expect(decide("ClarificationNeeded", [])).toEqual([`${b}scaffold`, "clarify"]);
  });
});

describe("a question", () => {
  verifies(
    "V3-68",
    "goes up level by level to one person, and the answer the same way down; siblings work on",
    () => {
      const run = rooted("a", "b");
      scaffolded(run, a, ["tax"]);
      const tax = pathTo("a", "tax");
      run.answer(`${tax}scaffold`, "ClarificationNeeded", { payload: "sha256:question" });
      expect(run.latest().at(-1)).toMatchObject({
        path: `${a}scaffold`,
        causes: [{ outcome: "asked", payload: "sha256:question" }],
      });
      run.answer(`${a}scaffold`, "ClarificationNeeded");
      run.answer("scaffold", "ClarificationNeeded");
      expect(
        waitingAsks(run.state())
          .filter(({ to }) => to === "person")
          .map(({ path, as }) => [path, as]),
      ).toEqual([["clarify", "waiting"]]);
      expect(run.open()).toContain(`${b}scaffold`);
      run.answer("clarify", "answer", { payload: "sha256:answer" });
      expect(run.latest()).toEqual([
        expect.objectContaining({ path: "scaffold", thread: { type: "continue" } }),
      ]);
      scaffolded(run, "", ["a", "b"]);
      expect(said(run.latest())).toContain(`dispatch ${a}scaffold`);
      scaffolded(run, a, ["tax"]);
      expect(said(run.latest())).toContain(`dispatch ${tax}scaffold`);
      expect(waitingAsks(run.state())).toEqual([]);
    },
  );

  verifies(
    "V3-72",
    "stops nothing while a node can work; when none can, every question is in one list",
    () => {
      const run = play(graph);
      scaffolded(run, "", ["a", "b"]);
      answers(run, "", tested);
      leafTo(run, a, "impl");
      run.answer(`${a}impl`, "inconclusive");
      leafTo(run, b, "candidate");
      answers(run, b, merged.slice(0, 2));
      run.answer(`${b}merger`, "inconclusive");
      expect(run.state().open.map(({ type, path }) => [type, path])).toEqual([
        ["ask", `${a}impl_paused`],
        ["ask", `${b}merger_paused`],
      ]);
    },
  );
});
