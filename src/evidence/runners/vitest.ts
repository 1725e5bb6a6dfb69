import { basename, join } from "node:path";
import * as z from "zod";
import { projectPath } from "../project-path.ts";
import type { Runner, RunnerRequest } from "../runner.ts";
import { numberDuplicates } from "../test-ids.ts";
import type { TestProblem, TestReport, TestResult } from "../test-result.ts";
import { asset } from "./assets.ts";
import { filesIn } from "./test-file-list.ts";
import { withoutOptions } from "./options.ts";
import { hasUncountedAssertions } from "./other-assertions.ts";
import { vitestErrors } from "./vitest/messages.ts";
import { type Module, readModule } from "./vitest/module.ts";
import { VitestReport } from "./vitest/report.ts";
import { reportValue } from "./report-json.ts";
import { isAtLeast } from "./versions.ts";

const reporter = asset("vitest-reporter.mjs");
const config = asset("vitest-config.mjs");
const listConfig = asset("vitest-list-config.mjs");
const limit = asset("test-limit.mjs");

/** vitest 0.34 and newer, read by Mettle's reporter: vitest's own JSON reports a killed worker as success. */
export const vitest: Runner = {
  name: "vitest",
  entry: "node_modules/vitest/vitest.mjs",
  testFiles: ["js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx"].flatMap((ending) => [
    `**/*.test.${ending}`,
    `**/*.spec.${ending}`,
  ]),
  assets: [reporter, config, listConfig, limit],
  longestIn: "METTLE_LONGEST_TEST",
  // CI: compares snapshots, never writes them.
  env: { CI: "1" },
  newSnapshots: { env: { CI: "" }, argv: (words) => words },
  oldest: "0.34.0",
  at: (version) => vitestAt(version),
  argv,
  failsEmptyFiles: true,
  parse({ report, project, files }) {
    const parsed = VitestReport.safeParse(report === null ? null : reportValue(report));
    if (!parsed.success) return { report: false, tests: [], loadErrors: [], problems: [] };
    return summarise(parsed.data, project, files);
  },
  list: {
    argv: (request) => [
      entryOf(request),
      "list",
      "--filesOnly",
      `--json=${request.report}`,
      ...configuration(request, listConfig),
      ...withoutOptions(
        request.args.filter((word) => !/^(run|watch|dev|-u|-w|--(run|watch|ui|update)\b)/.test(word)),
        ["--coverage", "--reporter", "--outputFile", "--shard", "--bail", "--retry"],
      ),
    ],
    parse({ report, project }) {
      const parsed = VitestList.safeParse(reportValue(report ?? ""));
      if (!parsed.success) return null;
      return {
        files: filesIn(
          project,
          parsed.data.map(({ file }) => file),
        ),
        patterns: [],
      };
    },
  },
};

/** Beginnings of options, and the version that has them first. */
const since = [
  ["--configLoader=", "3.1"],
  ["--expect.requireAssertions", "2.0"],
  ["--cache=", "1.3"],
] as const;

/** Besides the options, a reporter outside a package is known from 3.2 and a list of files from 2.1. */
function vitestAt(version: string): Runner {
  if (isAtLeast(version, "3.2")) return vitest;
  const { list, ...others } = vitest;
  const isKnown = (word: string) =>
    since.every(([option, first]) => !word.startsWith(option) || isAtLeast(version, first));
  const written = (word: string, copies: string | undefined) => {
    if (word === `--reporter=${reporter}` && copies !== undefined)
      return `--reporter=${join(copies, basename(reporter))}`;
    // Before 1.3 the value of an option with a dot is a text, which is true.
    return word === "--coverage.enabled=false" && !isAtLeast(version, "1.3") ? "--coverage=false" : word;
  };
  const kept = (words: readonly string[], { copies }: { readonly copies?: string } = {}) =>
    words.filter(isKnown).map((word) => written(word, copies));
  return {
    ...others,
    // Before 3.2 vite loads the reporter, and outside the project it may load packages only.
    copied: [reporter, limit],
    argv: (request) => kept(argv(request), request),
    ...(list === undefined || !isAtLeast(version, "2.1")
      ? {}
      : { list: { ...list, argv: (request) => kept(list.argv(request)) } }),
  };
}

const VitestList = z.array(z.object({ file: z.string() }));

function entryOf({ entry, project }: Pick<RunnerRequest, "entry" | "project">): string {
  return entry ?? join(project, "node_modules", "vitest", "vitest.mjs");
}

function configuration(
  { config: own, project }: Pick<RunnerRequest, "config" | "project">,
  none: string,
): readonly string[] {
  return [
    `--root=${project}`,
    `--config=${own ?? none}`,
    // The other loader bundles the config into a file inside the project, which may be read-only.
    `--configLoader=${/\.[cm]?js$/.test(own ?? none) ? "native" : "runner"}`,
  ];
}

function argv(request: RunnerRequest): readonly string[] {
  return [
    entryOf(request),
    "run",
    ...(request.args ?? []),
    ...configuration(request, config),
    "--reporter=default",
    `--reporter=${reporter}`,
    `--outputFile=${request.report}`,
    "--watch=false",
    "--allowOnly=false",
    "--passWithNoTests=false",
    "--dangerouslyIgnoreUnhandledErrors=false",
    ...(countsAll(request) ? ["--expect.requireAssertions"] : []),
    "--retry=0",
    "--bail=0",
    "--cache=false",
    "--coverage.enabled=false",
    ...(request.shuffle ? ["--sequence.shuffle.files", "--sequence.shuffle.tests"] : []),
    ...(request.shuffle && request.seed !== undefined ? [`--sequence.seed=${request.seed}`] : []),
    ...request.files.map((file) => join(request.project, file)),
  ];
}

/** vitest counts `expect` only, and requires assertions for a whole run or not at all. */
function countsAll({ texts }: RunnerRequest): boolean {
  return texts === undefined || ![...texts.values()].some(hasUncountedAssertions);
}

function summarise(report: VitestReport, project: string, files: readonly string[]): TestReport {
  const modules = report.modules.map((module) => readModule(module, project));
  const problems = modules.flatMap((module) => module.problems);
  const isKilled = problems.some(({ code }) => code === "killed");
  return {
    report: true,
    tests: worstOfProjects(modules),
    loadErrors: modules.flatMap(({ loadErrors }) => loadErrors),
    problems: [
      ...problems,
      ...report.unhandled
        .filter((error) => !isKilled || !vitestErrors.pool(error))
        .map((error) => outside(error, project)),
      ...(report.reason === "interrupted"
        ? [{ code: "interrupted" as const, file: null, message: "vitest was interrupted" }]
        : []),
      ...missing(files, modules),
    ],
  };
}

/** A file that several projects run has each test once, with its worst result. */
function worstOfProjects(modules: readonly Module[]): readonly TestResult[] {
  const worst = new Map<string, TestResult>();
  for (const test of modules.flatMap(({ tests }) => numberDuplicates(tests))) {
    const known = worst.get(test.id);
    if (known === undefined || order.indexOf(test.status) < order.indexOf(known.status))
      worst.set(test.id, test);
  }
  return [...worst.values()];
}

const order: readonly TestResult["status"][] = ["failed", "pending", "skipped", "todo", "passed"];

/** An error outside of any test. */
function outside(error: VitestReport["unhandled"][number], project: string): TestProblem {
  const file = error.file === "" ? null : projectPath(error.file, project);
  if (vitestErrors.pool(error))
    return { code: "killed", file, message: "a worker of the runner ended unexpectedly" };
  return { code: "unhandled", file, message: error.message };
}

function missing(files: readonly string[], modules: readonly Module[]): readonly TestProblem[] {
  const seen = new Set(modules.map(({ file }) => file));
  return files
    .filter((file) => !seen.has(join(".", file)))
    .map((file) => ({
      code: "tests_not_executed",
      file,
      message: "the report does not mention this test file",
    }));
}
