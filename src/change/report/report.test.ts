/** Each report says the same verdict, in the shape of its official schema, whatever the texts hold. */
import { expect, test } from "vitest";
import {
  ctrfFaults,
  ctrfResults,
  junitFaults,
  sarifFaults,
  sarifResults,
  TestResultStatement,
} from "../../../test/support/report-schemas.ts";
import { stripControls } from "../../lib/text.ts";
import { GateAnswer } from "../answer.ts";
import { annotationsOf } from "./annotations.ts";
import { githubAnnotations, withoutCommands } from "./github.ts";
import { reportFormats, writeReport, type ReportFormat } from "./report.ts";

const place = { path: "test/a b#1.test.js", line: 5 };

function answer(verdict: GateAnswer["verdict"], more: Partial<GateAnswer> = {}): GateAnswer {
  const isPass = verdict === "pass";
  return GateAnswer.parse({
    gate: "prove",
    verdict,
    base: "b".repeat(40),
    head: "a".repeat(40),
    tree: "c".repeat(40),
    red: null,
    runner: "node:test",
    started: "2026-01-02T03:04:05.000Z",
    ended: "2026-01-02T03:04:07.500Z",
    checks: [
      { name: "red.fails", verdict: "pass", reason: "", tests: [], places: [] },
      isPass
        ? { name: "weakened", verdict, reason: "", tests: [], places: [] }
        : {
            name: "weakened",
            verdict,
            reason: "an old test asks for less",
            tests: ["test/a b#1.test.js::adds"],
            places: [place],
          },
    ],
    findings: [
      {
        code: "unexecuted_lines",
        severity: "finding",
        message: "changed lines that no test executed: 1 (src/a.js:8)",
        places: [{ path: "src/a.js", line: 8 }],
      },
    ],
    required: ["test/a b#1.test.js::adds"],
    observed: ["test/a b#1.test.js::adds"],
    numbers: {
      unexecuted_lines: 1,
      surviving_mutants: "not measured",
      new_exports: 0,
      new_exports_without_test: 0,
      files_changed: 1,
      lines_before: 1,
      lines_after: 2,
      branches_before: 0,
      branches_after: 0,
      complexity_delta: 0,
      lint: "not measured",
      lint_delta: "not measured",
    },
    record: { id: "gate-x/3", hash: `sha256:${"d".repeat(64)}` },
    nothing_to_prove: false,
    base_tests: { tests: 2, failing: [] },
    ...more,
  });
}

const write = (format: ReportFormat, of: GateAnswer) => writeReport(format, { answer: of, version: "1.2.3" });
const parse = (text: string) => JSON.parse(text) as Record<string, unknown>;

/** What a reader of the format takes from it. */
const readers: Readonly<
  Record<"json" | "junit" | "ctrf" | "sarif" | "in-toto", (text: string) => Promise<unknown>>
> = {
  json: async (text) =>
    GateAnswer.strict().parse((({ version: _version, ...fields }) => fields)(parse(text))).verdict,
  junit: async (text) => {
    expect(await junitFaults(text)).toEqual([]);
    return ["failure", "error"].map((name) => text.split(`<${name} `).length - 1);
  },
  ctrf: async (text) => {
    expect(ctrfFaults(text)).toEqual([]);
    return ctrfResults(text);
  },
  sarif: async (text) => {
    expect(sarifFaults(text)).toEqual([]);
    return sarifResults(text);
  },
  "in-toto": async (text) => {
    const { predicate } = TestResultStatement.parse(parse(text));
    return [
      predicate.result,
      predicate.failedTests,
      JSON.stringify(predicate.configuration).includes("inconclusive: "),
    ];
  },
};

const expected = {
  json: { pass: "pass", fail: "fail", inconclusive: "inconclusive" },
  junit: { pass: [0, 0], fail: [2, 0], inconclusive: [0, 2] },
  ctrf: {
    pass: [3, 3, 0, ["pass", "pass", "pass"]],
    fail: [3, 1, 2, ["pass", "fail", "fail"]],
    inconclusive: [3, 1, 2, ["pass", "inconclusive", "inconclusive"]],
  },
  sarif: {
    pass: [true, ["unexecuted_lines note src/a.js:8"]],
    fail: [true, ["weakened error test/a%20b%231.test.js:5", "unexecuted_lines note src/a.js:8"]],
    inconclusive: [false, ["weakened error test/a%20b%231.test.js:5", "unexecuted_lines note src/a.js:8"]],
  },
  "in-toto": {
    pass: ["PASSED", [], false],
    fail: ["FAILED", ["prove/weakened", "prove/verdict"], false],
    inconclusive: ["FAILED", ["prove/weakened", "prove/verdict"], true],
  },
} as const;

test("three verdicts in five formats are valid by their schemas, and inconclusive is never a pass", async () => {
  for (const format of ["json", "junit", "ctrf", "sarif", "in-toto"] as const)
    for (const verdict of ["pass", "fail", "inconclusive"] as const)
      expect([format, verdict, await readers[format](write(format, answer(verdict)))]).toEqual([
        format,
        verdict,
        expected[format][verdict],
      ]);
  const warned = answer("pass", {
    findings: [{ code: "setup_changed", severity: "finding", message: "review it", places: [] }],
  });
  expect(await readers["in-toto"](write("in-toto", warned))).toEqual(["WARNED", [], false]);
});

test("hostile texts stay texts: control characters, unpaired surrogates, markup, commands, huge messages", async () => {
  const hostile = `\u0000\u001b[31m]]>\u0007<a b="c">&amp;\r\n::error::x%0A\uD800\uFFFF\u202E|\`\`\` ${"x".repeat(1_000_000)}`;
  const bad = answer("fail", {
    runner: hostile,
    checks: [
      {
        name: "weakened",
        verdict: "fail",
        reason: hostile,
        tests: [`test/a.js::${hostile}`],
        places: [{ path: "a\uD800 %:,\n.js", line: 3 }],
      },
    ],
    findings: [
      { code: "setup_changed", severity: "finding", message: hostile.slice(1), path: hostile, places: [] },
    ],
    required: [hostile],
    base_tests: null,
  });
  for (const format of reportFormats) {
    const text = write(format, bad);
    expect([
      format,
      text.length < (format === "json" ? Infinity : 60_000),
      !/\p{Surrogate}/u.test(text),
      stripControls(text) !== text,
    ]).toEqual([format, true, true, false]);
  }
  expect(await junitFaults(write("junit", bad))).toEqual([]);
  expect(ctrfFaults(write("ctrf", bad))).toEqual([]);
  expect(sarifFaults(write("sarif", bad))).toEqual([]);
  expect(() => TestResultStatement.parse(parse(write("in-toto", bad)))).not.toThrow();
  const lines = githubAnnotations(bad);
  expect(lines.map((line) => line.split("::").length > 2 && !line.includes("\n"))).toEqual([true, true]);
  expect(lines[0]).toMatch(
    /^::error file=a\uFFFD %25%3A%2C%0A\.js,line=3,title=Mettle%3A old tests that ask for less::\]\]><a b="c">&amp;%0A::error::x%250A/u,
  );
  const guarded = /^::stop-commands::(\w{24})\n([\s\S]*)\n::(\w{24})::$/u.exec(withoutCommands("::error::x"));
  expect([guarded?.[1] === guarded?.[3], guarded?.[2]]).toEqual([true, "::error::x"]);
  const markdown = write("markdown", bad);
  expect(markdown.split("\n").filter((line) => line.startsWith("::"))).toEqual([]);
  expect(markdown).toContain('\\<a b="c"\\>\\&amp;');
});

test("a check that could not be judged is an error in every format that shows lines", () => {
  const unclear = answer("inconclusive", { checks: [], findings: [] });
  expect(annotationsOf(unclear)).toEqual([
    {
      name: "verdict",
      title: "inconclusive",
      level: "error",
      text: "inconclusive: something could not be judged",
      place: null,
    },
  ]);
  expect(write("codequality", unclear)).toContain('"severity": "blocker"');
  expect(write("markdown", unclear)).toContain("## ❔ Mettle: inconclusive\n");
  expect(write("markdown", answer("pass"))).toContain("## ✅ Mettle: proved\n");
});
