/**
 * Any runner that writes its results as XML of JUnit: Maven Surefire, Gradle, PHPUnit, .NET, Swift. The settings name its
 * command (`tests.junit` in mettle.yaml). `bun` is one whose command is known.
 */
import { numberDuplicates } from "../test-ids.ts";
import type { JunitCommand, Runner, RunnerOutput } from "../runner.ts";
import type { TestProblem, TestReport } from "../test-result.ts";
import { junitResult, withoutAssertion } from "./junit/junit-results.ts";
import { readXml, type XmlCase } from "./junit/read-xml.ts";

export const junit: Runner = {
  name: "junit",
  program: "sh",
  entry: null,
  testFiles: [
    "**/*Test.*",
    "**/*Tests.*",
    "**/Test*.*",
    "**/*_test.*",
    "**/test_*.*",
    "**/*.test.*",
    "**/*.spec.*",
  ],
  assets: [],
  env: {},
  argv: (request) => {
    // Without a command nothing runs, so no report is left.
    const { command, reports } = request.junit ?? { command: "exit 2" };
    return ["-c", script({ command, reports }, request.report), "sh", ...request.files];
  },
  parse,
};

/**
 * The user's command with the files as `{files}` and the report's path as `{report}`. Reports that it leaves in folders of the
 * project are joined; the checkout is clean, so they are of this run.
 */
function script({ command, reports }: JunitCommand, report: string): string {
  const quoted = `'${report.replaceAll("'", String.raw`'\''`)}'`;
  const run = command.replaceAll("{files}", '"$@"').replaceAll("{report}", quoted);
  if (reports === undefined) return run;
  return [
    `rm -f -- ${reports}`,
    `(\n${run}\n)`,
    "status=$?",
    `for one in ${reports}; do if [ -f "$one" ]; then cat -- "$one"; echo; fi; done > ${quoted}`,
    'exit "$status"',
  ].join("\n");
}

function parse(output: RunnerOutput): TestReport {
  const cases = output.report === null ? null : readXml(output.report);
  if (cases === null) return { report: false, tests: [], loadErrors: [], problems: [] };
  const results = cases.map((one) => [one, junitResult(one, output)] as const);
  const tests = numberDuplicates(results.flatMap(([, test]) => test ?? []));
  const unknown = results.flatMap(([one, test]) => (test === null ? [withoutFile(one)] : []));
  const silent = output.files.filter((file) => !tests.some(({ id }) => id.startsWith(`${file}::`)));
  return {
    report: output.exitCode !== null,
    tests,
    loadErrors: [],
    problems: [
      ...unknown,
      ...cases.flatMap((one) => withoutAssertion(one, output)),
      ...silent.map((file): TestProblem => ({
        code: "no_tests",
        file,
        message: "the report has no test of this file",
      })),
    ],
  };
}

function withoutFile({ classname, name }: XmlCase): TestProblem {
  const message = `the report names no file for "${name}", and no test file is called ${classname === "" ? "like its class" : classname}`;
  return { code: "tests_not_executed", file: null, message };
}
