import { beforeAll, expect } from "vitest";
import { replayRun } from "../../src/verify/replay-run.ts";
import { verifyRun } from "../../src/verify/verify-run.ts";
import { callIn } from "../cli/here.ts";
import { verifies, verifiesInCi } from "../verifies.ts";
import { failing, rowsOf, type ByHand } from "./by-hand.ts";
import { add, addTest, first, head, honest, secondTest, sums } from "./sums.ts";

let hand: ByHand;
beforeAll(async () => void (hand = await sums()));

const twiceTest = {
  "test/twice.test.js": `${head}import { twice } from "../src/twice.js";\ntest("Q2 doubles", () => { assert.equal(twice(2), 4); });\n`,
};

verifies(
  "TDP-36",
  "an honest cycle passes all six gates, every row names its evidence, and the next cycle starts where it ended",
  async () => {
    const { session } = hand.context;
    const red = await hand.work("red", "RC", honest);
    expect(rowsOf(await hand.gate())).toEqual([
      "pass Tests written",
      "pass Tests failing",
      "pass Test quality meets standards",
    ]);
    expect(session.view.frozen).toMatchObject({ commit: red, required: [first] });
    await hand.work("green", "GC", add);
    const green = await hand.gate();
    expect(green.rows?.[1]).toMatchObject({ mark: "review", numbers: { lines_after: 4, branches_after: 1 } });

    const tests = await hand.work(
      "test_refactor",
      "RTC",
      addTest("assert.equal(add(1, 2), 3);\n  assert.equal(add(0, 2), 2);"),
    );
    expect(failing(await hand.gate())).toEqual([]);
    expect(session.view.frozen).toMatchObject({ commit: tests, required: [first] });
    const source = await hand.work("impl_refactor", "RIC", {
      "src/add.js": "export function add(left, right) {\n  return left + right;\n}\n",
    });
    expect(failing(await hand.gate())).toEqual([]);
    expect([session.view.head.branch, session.view.frozen?.commit]).toEqual([source, tests]);
    await hand.say("APPROVED");
    await hand.say("APPROVED");
    expect([hand.state(), (await hand.gate()).verdict]).toEqual(["integration_test", "pass"]);
    const record = session.view.records.at(-1)?.id;

    expect(hand.state()).toBe("interface_check");
    const end = await hand.gate();
    expect(end.rows?.map(({ mark }) => mark)).toEqual(Array.from({ length: 8 }, () => "pass"));
    expect(session.view.cyclesDone).toMatchObject([{ cycle: 1, commit: source, required: [first], record }]);
    expect(await verifyRun(hand.context)).toMatchObject({ verdict: "pass", why: "" });
    const again = await replayRun(hand.context, new AbortController().signal);
    expect(again).toMatchObject({ verdict: "pass", why: "" });

    const shown = (
      await callIn(hand.world, ["show", hand.run, "--gates", "--json"])
    ).json() as unknown as ShownGate;
    expect(shown.gates.map(({ gate, cycle, rows }) => [gate, cycle, rows.length])).toEqual([
      ["cycle_red", 1, 3],
      ["cycle_green", 1, 3],
      ["test_refactor", 1, expect.any(Number)],
      ["impl_refactor", 1, expect.any(Number)],
      ["suite", 1, 3],
      ["refactor", 1, 8],
    ]);
    const rows = shown.gates.flatMap(({ rows }) => rows);
    const ids = new Set(session.view.records.map(({ id }) => id));
    expect(rows.filter((row) => row.basis === "record" && !ids.has(row.record ?? ""))).toEqual([]);
    const reviewed = rows.filter(({ basis }) => basis === "review");
    expect(reviewed.map(({ name, mark, reviews = [] }) => [name, mark, ...reviews.map(reviewText)])).toEqual([
      ["Minimal implementation", "pass", "QA APPROVED R4"],
      ["Code quality improved", "pass", "DE APPROVED R3", "QA APPROVED R4"],
      ["QA refactor: Test code optimized", "pass", "DE APPROVED R3"],
      ["DE refactor: Implementation optimized", "pass", "QA APPROVED R4"],
      ["Collaboration: Code review completed", "pass", "DE APPROVED R3", "QA APPROVED R4"],
    ]);
    expect(rows.find(({ name }) => name.startsWith("DE refactor"))?.numbers).toEqual({
      files_changed: 1,
      lines_before: 4,
      lines_after: 3,
      branches_before: 1,
      branches_after: 0,
      unexecuted_lines: "none",
      lint: "not measured (no known lint tool is configured)",
    });
    const { stdout } = await callIn(hand.world, ["show", rows[0]?.record ?? ""]);
    expect(stdout).toContain("mettle gate red");
  },
  180_000,
);

verifiesInCi(
  "TDP-36",
  "in the second cycle the tests of the first stay required, and a changed signature does not end it",
  async () => {
    const { session } = hand.context;
    await hand.work("red", "RC", twiceTest);
    expect(failing(await hand.gate())).toEqual([]);
    expect(session.view.frozen?.required).toEqual([first, secondTest]);
    await hand.work("green", "GC", { "src/twice.js": "export const twice = (n) => n * 2;\n" });
    expect(failing(await hand.gate())).toEqual([]);
    await hand.work("test_refactor", "RTC", {});
    expect(failing(await hand.gate())).toEqual([]);
    await hand.work("impl_refactor", "RIC", {
      "src/twice.js": "export const twice = (n, more = 0) => n * 2 + more;\n",
    });
    expect(failing(await hand.gate())).toEqual([]);
    await hand.say("APPROVED");
    await hand.say("APPROVED");
    expect(await hand.gate()).toMatchObject({ verdict: "pass" });
    const end = await hand.gate();
    expect(rowsOf(end).filter((row) => row.startsWith("fail"))).toEqual([
      "fail Interface consistency",
      "fail Ready for next cycle",
    ]);
    expect(end.rows?.[2]?.why).toBe(
      "a refactoring must keep the public interface; restore: src/twice.js: twice(n) is twice(n, more = 0) now",
    );
    expect(session.view.cyclesDone).toHaveLength(1);

    // The next pass restores it; the earlier approvals do not count for it.
    await hand.work("test_refactor", "RTC", {});
    expect(failing(await hand.gate())).toEqual([]);
    await hand.work("impl_refactor", "RIC", { "src/twice.js": "export const twice = (n) => n + n;\n" });
    expect(failing(await hand.gate())).toEqual([]);
    await hand.say("APPROVED");
    await hand.say("APPROVED");
    await hand.gate();
    expect(failing(await hand.gate())).toEqual([]);
    expect(session.view.cyclesDone.at(-1)).toMatchObject({ cycle: 2, required: [first, secondTest] });
    expect(await verifyRun(hand.context)).toMatchObject({ verdict: "pass", why: "" });
  },
  180_000,
);

interface ShownRow {
  readonly name: string;
  readonly mark: string;
  readonly basis: string;
  readonly record?: string;
  readonly numbers?: Readonly<Record<string, number | string>>;
  readonly reviews?: readonly {
    readonly reviewer: string;
    readonly status: string;
    readonly round: number;
  }[];
}

interface ShownGate {
  readonly gates: readonly {
    readonly gate: string;
    readonly cycle: number | null;
    readonly rows: readonly ShownRow[];
  }[];
}

function reviewText({ reviewer, status, round }: NonNullable<ShownRow["reviews"]>[number]): string {
  return `${reviewer} ${status} R${round}`;
}
