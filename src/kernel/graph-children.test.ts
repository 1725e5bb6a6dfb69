import { describe, expect, test } from "vitest";
import { verifies } from "../../test/verifies.ts";
import {
  answers,
  graph,
  items,
  leafTo,
  merged,
  pathTo,
  rootWith,
  commandLines,
  scaffoldNode,
  tested,
} from "./fixtures/graph.ts";
import { play, type Play } from "./fixtures/play.ts";
import { blockersOf } from "../testing/blockers.ts";
import { endingOf, waitingAsks } from "./inspect.ts";

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
    "starts after the tests and every child, in either order, and shows what it waits for",
    () => {
      const testsFirst = rootWith("a");
      answers(testsFirst, "", tested);
      expect(blockersOf(graph, testsFirst.state(), "main")).toEqual([
        { type: "region", name: "children", state: "children" },
        { type: "child", item: "a", outcome: null },
      ]);
      mergeLeaf(testsFirst, a);
      expect([impls(testsFirst), commandLines(testsFirst.latest())]).toEqual([
        0,
        ["check work/children/contracts"],
      ]);
      testsFirst.answer("contracts", "pass");
      expect(commandLines(testsFirst.latest())).toEqual(["dispatch impl"]);

      const childFirst = rootWith("a");
      mergeLeaf(childFirst, a);
      childFirst.answer("contracts", "pass");
      expect([impls(childFirst), blockersOf(graph, childFirst.state(), "main")]).toEqual([
        0,
        [{ type: "region", name: "tests", state: "write_tests" }],
      ]);
      answers(childFirst, "", tested);
      expect(commandLines(childFirst.latest())).toEqual(["dispatch impl"]);

      const alone = rootWith();
      answers(alone, "", tested);
      expect(commandLines(alone.latest())).toEqual(["dispatch impl"]);
    },
  );

  test("stays blocked while contracts break: the child that owns them continues at its TDD until it has merged again", () => {
    const run = rootWith("a", "b");
    answers(run, "", tested);
    leafTo(run, b, "publish");
    leafTo(run, a, "candidate");
    answers(run, b, [["publish", "done"]]);
    answers(run, a, [["sibling_merged/rebase", "RebaseClean"], ...merged]);
    run.answer("contracts", "fail", { items: items("a"), payload: "sha256:failing" });
    expect(commandLines(run.latest())).toEqual([`rebase ${a}sibling_merged/rebase`]);
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
    expect([impls(run), commandLines(run.latest())]).toEqual([0, ["check work/children/contracts"]]);
    run.answer("contracts", "pass");
    expect(impls(run)).toBe(1);
  });
});

describe("a new InitWork", () => {
  test("keeps unchanged children, restarts changed ones, and stops dropped ones", () => {
    const run = rootWith("same", "changed", "dropped", "merged");
    mergeLeaf(run, pathTo("merged"));
    run.answer("work/tests/write_tests", "InvalidScaffold");
    run.answer("scaffold", "InitWork", {
      items: [...items("same", "merged"), { id: "changed", hash: "2" }],
    });
    run.answer("scaffold_gate", "pass");
    expect(commandLines(run.latest())).toEqual([
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
  const rows = Object.entries(failures).map(([reason, fail]) => {
    const run = rootWith("a", "b");
    answers(run, "", tested);
    fail(run);
    const ending = endingOf(run.state(), frame);
    const path = ending?.exit?.path.slice(a.length);
    return { reason, run, rows: [ending?.outcome, path, ending?.exit?.outcome, ending?.trip?.counter] };
  });

  verifies(
    "V3-24",
    "is reported to the parent's Scaffold at once, for every cause, and disturbs no sibling",
    () => {
      for (const { run } of rows) {
        expect(run.latest().at(-1)).toMatchObject({
          path: "scaffold",
          thread: { type: "continue" },
          causes: [{ path: frame }],
        });
        expect(run.open()).toEqual([`${b}scaffold`, "scaffold"]);
      }
      expect(Object.fromEntries(rows.map((each) => [each.reason, each.rows]))).toEqual({
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

  verifies("V3-25", "is restarted, dropped, or escalated as a question, as Scaffold decides", () => {
    const decide = (exit: string, given: readonly string[]) => {
      const run = rootWith("a", "b");
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
    "goes up level by level to one person, and the answer comes down the same way; siblings keep working",
    () => {
      const run = rootWith("a", "b");
      scaffoldNode(run, a, ["tax"]);
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
      scaffoldNode(run, "", ["a", "b"]);
      expect(commandLines(run.latest())).toContain(`dispatch ${a}scaffold`);
      scaffoldNode(run, a, ["tax"]);
      expect(commandLines(run.latest())).toContain(`dispatch ${tax}scaffold`);
      expect(waitingAsks(run.state())).toEqual([]);
    },
  );

  verifies(
    "V3-72",
    "stops nothing while a node can work; when none can, every question is in one list",
    () => {
      const run = play(graph);
      scaffoldNode(run, "", ["a", "b"]);
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
