import { expect, test } from "vitest";
import { largeRun } from "../../../test/page/large-run.ts";
import { columnsOf } from "../../lib/columns.ts";
import { phaseLines, runningLine } from "./phase-line.ts";

const { view } = largeRun(1, 2);
const phase = {
  name: "PLAN_DUAL_REVIEW_OF_A_LONG_NAME",
  node: "root",
  keys: ["children/n0/impl#1", "children/n0/green_gate#1"],
};

test.each([32, 40, 50, 60, 71, 72, 80, 110, 200])(
  "no line of a phase is wider than %i columns, and no word is broken",
  (columns) => {
    const lines = phaseLines(phase, view, columns).map((spans) => spans.map(({ text }) => text).join(""));
    expect(lines.filter((line) => columnsOf(line) > columns)).toEqual([]);
    const [whole = ""] = phaseLines(phase, view, null).map((spans) => spans.at(-1)?.text ?? "");
    const words = lines.flatMap((line) => line.split(" "));
    expect(whole.split(" ").filter((word) => !words.includes(word))).toEqual([]);
    const running = runningLine(phase, view, { columns, nowMs: 0, spinner: "⠸", doing: "x".repeat(300) });
    expect(columnsOf(running.map(({ text }) => text).join(""))).toBeLessThanOrEqual(columns);
  },
);
