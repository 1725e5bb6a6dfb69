import { join } from "node:path";
import { projectPath } from "../project-path.ts";
import type { Runner, RunnerRequest } from "../runner.ts";
import { numberDuplicates } from "../test-ids.ts";
import type { TestProblem, TestReport, TestResult } from "../test-result.ts";
import { asset } from "./assets.ts";
import { unmentioned, readLines, type Lines } from "./report-lines.ts";
import { readList } from "./test-file-list.ts";
import { type FileEvents, NodeTestEvent } from "./node-test-events.ts";
import { resultsOfFile } from "./node-test-results.ts";

const reporter = asset("node-test-reporter.mjs");
const lister = asset("node-test-list.mjs");

/** From Node 21 on, the arguments are patterns, and special characters cannot be escaped. */
const takesPatterns = Number.parseInt(process.versions.node, 10) >= 21;

/** `node --test` of Node 20.19 and newer, read by Mettle's reporter: TAP and JUnit lack some of its events. */
export const nodeTest: Runner = {
  name: "node:test",
  entry: null,
  testFiles: ["js", "mjs", "cjs", "ts", "mts", "cts"].flatMap((ending) => [
    `**/*.test.${ending}`,
    `**/*.spec.${ending}`,
    `**/*-test.${ending}`,
    `**/*_test.${ending}`,
  ]),
  assets: [reporter, lister],
  env: {},
  argv,
  parse({ report, project, folder = project, files }) {
    const read = report === null ? null : readLines(report, NodeTestEvent);
    if (read === null) return { report: false, tests: [], loadErrors: [], problems: [] };
    return summarise({ ...read, project, folder, files });
  },
  list: {
    takesPatterns,
    listsByName: (path) => /\.[cm]?[jt]s$/u.test(path),
    argv: ({ report, args }) => [lister, report, ...args.filter((word) => !word.startsWith("-"))],
    parse: readList,
  },
};

/**
 * From Node 24 on, a test that never settles hangs its file, and the limit applies to each test. Before, the limit applies
 * to the whole file and would end slow files, and node detects a test that waits for nothing without a limit.
 */
const limitsTests = Number.parseInt(process.versions.node, 10) >= 24;

/** A pattern that matches this path: special characters go into brackets, and `?` replaces braces. */
function argument(path: string): string {
  return takesPatterns ? path.replace(/[*?()[\]]/g, "[$&]").replace(/[{}\\]/g, "?") : path;
}

/** node:test cannot shuffle; a shuffled run only reverses the order of the files, one at a time. */
function argv({ project, files, report, shuffle, timeoutMs, args = [] }: RunnerRequest): readonly string[] {
  const order = shuffle ? [...files].reverse() : files;
  return [
    "--test",
    ...args,
    ...(limitsTests ? [`--test-timeout=${Math.ceil(timeoutMs / 2)}`] : []),
    ...(shuffle ? ["--test-concurrency=1"] : []),
    "--test-reporter=spec",
    "--test-reporter-destination=stdout",
    `--test-reporter=${reporter}`,
    `--test-reporter-destination=${report}`,
    ...order.map((file) => argument(join(project, file))),
  ];
}

function summarise(
  input: Lines<NodeTestEvent> & {
    readonly project: string;
    readonly folder: string;
    readonly files: readonly string[];
  },
): TestReport {
  const byFile = new Map<string, NodeTestEvent[]>();
  for (const event of input.events) {
    const file = event.file === null ? null : projectPath(event.file, input.project);
    if (file !== null) byFile.set(file, [...(byFile.get(file) ?? []), event]);
  }
  const { folder } = input;
  const results: readonly FileEvents[] = [...byFile].map(([file, events]) => ({ file, folder, events }));
  const read = results.map((file) => resultsOfFile(file, input.project, input.ended));
  return {
    report: input.ended,
    tests: numberDuplicates(read.flatMap(({ tests }): readonly TestResult[] => tests)),
    loadErrors: read.flatMap(({ loadErrors }) => loadErrors),
    problems: [
      ...read.flatMap(({ problems }) => problems),
      ...input.events.flatMap((event) => announced(event, input.project)),
      ...(input.ended ? unmentioned(input.files, byFile) : []),
    ],
  };
}

/** Facts that node reports only as prose. */
function announced(event: NodeTestEvent, project: string): readonly TestProblem[] {
  if (event.type !== "diagnostic") return [];
  const file = event.file === null ? null : projectPath(event.file, project);
  if (event.message.startsWith("'only' and 'runOnly' require")) {
    return [{ code: "only", file, message: "a test is marked .only" }];
  }
  if (event.message.includes("asynchronous activity after the test ended")) {
    return [{ code: "unhandled", file, message: event.message }];
  }
  return [];
}
