import { dirname, join } from "node:path";
import * as z from "zod";
import { projectPath } from "../project-path.ts";
import type { Runner, RunnerRequest } from "../runner.ts";
import { numberDuplicates } from "../test-ids.ts";
import type { TestProblem, TestReport } from "../test-result.ts";
import { asset } from "./assets.ts";
import { JestEvent } from "./jest-events.ts";
import { readFile } from "./jest-file.ts";
import { filesIn } from "./test-file-list.ts";
import { withoutOptions } from "./options.ts";
import { reportValue } from "./report-json.ts";
import { readLines, unmentioned } from "./report-lines.ts";

const reporter = asset("jest-reporter.mjs");
const circus = asset("jest-circus.mjs");

/** jest 26 and newer, read by Mettle's reporter: jest's own JSON is missing after an early exit and loses thrown values. */
export const jest: Runner = {
  name: "jest",
  entry: "node_modules/jest/bin/jest.js",
  testFiles: ["js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx"].flatMap((ending) => [
    `**/*.test.${ending}`,
    `**/*.spec.${ending}`,
    `**/__tests__/**/*.${ending}`,
  ]),
  assets: [reporter, circus, asset("test-limit.mjs")],
  env: { CI: "1" },
  longestIn: "METTLE_LONGEST_TEST",
  newSnapshots: {
    env: {},
    argv: (words) => words.map((word) => (word === "--ci" ? "--ci=false" : word)),
  },
  oldest: "26.0.0",
  argv,
  failsEmptyFiles: true,
  parse({ report, project, files, texts = new Map() }) {
    const read = report === null ? null : readLines(report, JestEvent);
    if (read === null) return { report: false, tests: [], loadErrors: [], problems: [] };
    return summarise({ ...read, project, files, texts });
  },
  list: {
    argv: (request) => [
      entryOf(request),
      `--config=${request.config ?? JSON.stringify({ rootDir: request.project })}`,
      "--listTests",
      "--json",
      "--watchman=false",
      "--passWithNoTests",
      `--cacheDirectory=${join(dirname(request.report), "jest-cache")}`,
      ...withoutOptions(
        request.args.filter(
          (word) => !/^(-o|-u|--(watch|onlyChanged|onlyFailures|json|listTests)\b)/.test(word),
        ),
        ["--coverage", "--reporters", "--outputFile", "--shard", "--cacheDirectory", "--changedSince"],
      ),
    ],
    parse({ stdout, project }) {
      // A configuration may print before the list.
      const line = stdout.split("\n").findLast((one) => one.startsWith("["));
      const parsed = JestList.safeParse(reportValue(line ?? ""));
      return parsed.success ? { files: filesIn(project, parsed.data), patterns: [] } : null;
    },
  },
};

const JestList = z.array(z.string());

function entryOf({ entry, project }: Pick<RunnerRequest, "entry" | "project">): string {
  return entry ?? join(project, "node_modules", "jest", "bin", "jest.js");
}

/** jest for a project whose tests stay ES modules; node supports that only behind a flag. */
export const jestOfModules: Runner = {
  ...jest,
  argv: (request) => ["--experimental-vm-modules", ...argv(request)],
};

function argv(request: RunnerRequest): readonly string[] {
  // Without a configuration every requested file is a test file.
  const none = JSON.stringify({ rootDir: request.project, testMatch: ["**/*"] });
  return [
    entryOf(request),
    ...(request.args ?? []),
    `--config=${request.config ?? none}`,
    // Compares snapshots, never writes them.
    "--ci",
    "--updateSnapshot=false",
    "--watch=false",
    "--watchAll=false",
    "--watchman=false",
    "--bail=0",
    "--passWithNoTests=false",
    "--onlyChanged=false",
    "--onlyFailures=false",
    "--coverage=false",
    // Does not reuse the transforms of an earlier run.
    "--no-cache",
    `--cacheDirectory=${join(dirname(request.report), "jest-cache")}`,
    "--reporters=default",
    `--reporters=${reporter}`,
    `--outputFile=${request.report}`,
    `--testRunner=${circus}`,
    `--randomize=${request.shuffle}`,
    ...(request.shuffle ? ["--maxWorkers=1"] : []),
    ...(request.shuffle && request.seed !== undefined ? [`--seed=${request.seed}`] : []),
    "--runTestsByPath",
    ...request.files.map((file) => join(request.project, file)),
  ];
}

interface ParsedReport {
  readonly events: readonly JestEvent[];
  readonly ended: boolean;
  readonly project: string;
  readonly files: readonly string[];
  readonly texts: ReadonlyMap<string, string>;
}

function summarise({ events, ended, project, files, texts }: ParsedReport): TestReport {
  const inside = (file: string) => projectPath(file, project) ?? file;
  // jest runs the largest file first; the report keeps the requested order.
  const at = (file: string) => files.indexOf(inside(file));
  const done = events.filter((event) => event.type === "file").toSorted((a, b) => at(a.file) - at(b.file));
  const read = done.map((event) => readFile(event, project, texts.get(inside(event.file)) ?? ""));
  const left = events.flatMap((event) => (event.type === "exit" ? event.files : []));
  return {
    report: ended,
    tests: numberDuplicates(read.flatMap(({ tests }) => tests)),
    loadErrors: read.flatMap(({ loadErrors }) => loadErrors),
    problems: [
      ...read.flatMap(({ problems }) => problems),
      ...left.map((file): TestProblem => ({
        code: "early_exit",
        file: inside(file),
        message: "the process ended before the tests did",
      })),
      ...(ended ? unmentioned(files, new Set(done.map(({ file }) => inside(file)))) : []),
    ],
  };
}
