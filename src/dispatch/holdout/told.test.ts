import { expect, test } from "vitest";
import { failed, passed } from "../../gates/check.ts";
import type { Verdict } from "../../gates/verdict.ts";
import type { EvidenceRecord } from "../../evidence/record.ts";
import { toldBy } from "./told.ts";

const visible = "test/a.test.js::FR1 adds more";
const hidden = "test/a.test.js::FR1 adds";
const alone = "test/b.test.js::FR2 drops";
const told = toldBy(
  {
    type: "tests.withheld",
    key: "green#1",
    share: 0.5,
    commit: "a",
    reduced: "b",
    tests: [
      { id: hidden, criterion: "FR1" },
      { id: alone, criterion: "FR2" },
    ],
    files: ["test/a.test.js", "test/b.test.js"],
    gone: ["test/b.test.js"],
    stated: ["FR2 drops"],
    shown: [],
  },
  [visible, hidden, alone],
);

test("names of withheld tests are replaced, but not in a longer name of a visible test or where a criterion states them", () => {
  expect(told.text(`- "FR1 adds" and "FR1 adds more", ${alone} (test/b.test.js)`)).toBe(
    '- "a withheld test of FR1" and "FR1 adds more", a withheld test of FR2 (a withheld test file)',
  );
  expect(told.text("FR2 drops")).toBe("FR2 drops");
});

function reasons(...checks: Verdict["checks"]): readonly string[] {
  const wrong = checks.filter(({ verdict }) => verdict !== "pass");
  return told.reasons(
    {
      type: "gate.judged",
      key: "green_check#1",
      gate: "green",
      verdict: "fail",
      ref: "",
      reasons: wrong.map(({ name, reason }) => `${name}: ${reason}`),
      findings: ["files_changed: one", `flaky: passed once: ${hidden}`],
    },
    { verdict: "fail", outcome: "fail", checks, findings: [] },
  );
}

test("a failing withheld test is told by its criterion, a visible one by its name", () => {
  const list = `required tests: 3 failed: ${hidden}, ${visible}, ${alone}; exit code: it is 7, not 0`;
  expect(reasons(passed("frozen"), failed("required", list, [hidden, visible, alone]))).toEqual([
    `required: withheld tests of FR1, FR2 do not pass; visible tests do not pass: ${visible}; exit code: it is 7, not 0`,
    "files_changed: one",
  ]);
  const flip = "test/a.test.js:12 `add(2, 3)` passes with 7";
  expect(reasons(failed("flip", flip, [hidden]))[0]).toBe("flip: withheld tests of FR1 do not pass");
  expect(reasons(failed("flip", flip, [visible]))[0]).toBe(`flip: ${flip}`);
  expect(reasons(failed("hard_coded", "`add` contains literals (src/a.js:3)", [hidden]))[0]).toBe(
    "hard_coded: `add` contains literals (src/a.js:3)",
  );
});

test("the output is made of the messages of visible tests", () => {
  const result = (id: string, message: string) => ({ id, status: "failed", kind: null, message, frames: [] });
  const tests = [result(visible, "5 is not 6"), result(hidden, "3 is not 4"), result(alone, "x")];
  expect(told.output({ tests } as unknown as EvidenceRecord)).toBe(
    `${visible}\n5 is not 6\n\nwithheld tests of FR1, FR2 do not pass`,
  );
});
