import { expect, test } from "vitest";
import type { DoctorFinding } from "./check.ts";
import { reportText } from "./report.ts";

test("on a terminal it is coloured and fits, elsewhere it is plain", () => {
  const findings: readonly DoctorFinding[] = [
    { name: "a", state: "ok", seen: "fine", help: null },
    { name: "long", state: "fail", seen: "one two three four five six", help: "do this" },
  ];
  expect(reportText(findings, { columns: 32 }).split("\n")).toEqual([
    "\u001B[32m✓\u001B[0m a     fine",
    "\u001B[31m✗\u001B[0m long  one two three four",
    "        five six",
    "        \u001B[36m→\u001B[0m do this",
    "",
    "A run needs what is marked ✗.",
  ]);
  expect(reportText(findings, { columns: null }).split("\n").slice(1, 3)).toEqual([
    "✗ long  one two three four five six",
    "        → do this",
  ]);
});
