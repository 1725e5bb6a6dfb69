import { basename, join } from "node:path";
import { projectFrames, projectPath } from "../project-path.ts";
import { longestTest, type Runner, type RunnerRequest } from "../runner.ts";
import { numberDuplicates } from "../test-ids.ts";
import type { TestProblem, TestReport } from "../test-result.ts";
import { asset } from "./assets.ts";
import { oldArgv, oldListArgv, oldMochaProgram } from "./mocha-old.ts";
import { readList } from "./test-file-list.ts";
import { MochaEvent } from "./mocha-events.ts";
import { readTests, describeError, type MochaReport } from "./mocha-tests.ts";
import { withoutOptions } from "./options.ts";
import { isAtLeast } from "./versions.ts";
import { withoutColours } from "./report-json.ts";
import { readLines, unmentioned } from "./report-lines.ts";

const reporter = asset("mocha-reporter.mjs");

const assets = [reporter, asset("mocha-load.mjs"), asset("test-limit.mjs")];

/** Read by Mettle's reporter: mocha's own JSON is missing when one file does not load. */
export const mocha: Runner = {
  name: "mocha",
  entry: "node_modules/mocha/bin/mocha.js",
  testFiles: ["js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx"].flatMap((ending) => [
    `**/*.test.${ending}`,
    `**/*.spec.${ending}`,
  ]),
  assets,
  env: {},
  oldest: "1.18.0",
  at: (version) => (isAtLeast(version, "7.1.0") ? mocha : beforeLoadHooks),
  argv,
  parse({ report, project, folder = project, files }) {
    const read = report === null ? null : readLines(report, MochaEvent);
    if (read === null) return { report: false, tests: [], loadErrors: [], problems: [] };
    return summarise({ ...read, project, folder, files });
  },
  list: {
    takesPatterns: true,
    argv: (request) => [
      entryOf(request),
      ...configuration(request.config),
      ...withoutOptions(
        request.args.filter((word) => !/^(-w|-p|--(watch|parallel|bail|dry-run)\b)/.test(word)),
        ["--reporter", "-R", "--reporter-option", "--reporter-options", "-O"],
      ),
      `--reporter=${reporter}`,
      `--reporter-option=list=${encodeURIComponent(request.report)}`,
      "--no-parallel",
      "--no-watch",
    ],
    parse(output) {
      // mocha exits before it calls the reporter; list-tests.test.ts pins the message.
      return /^Error: No test files found/m.test(withoutColours(output.stderr))
        ? { files: [], patterns: [] }
        : readList(output);
    },
  },
};

const beforeLoadHooks: Runner = {
  ...mocha,
  assets: [...assets, oldMochaProgram],
  argv: oldArgv,
  list: { argv: oldListArgv, parse: readList },
};

function entryOf({ entry, project }: Pick<RunnerRequest, "entry" | "project">): string {
  return entry ?? join(project, "node_modules", "mocha", "bin", "mocha.js");
}

/** mocha cannot shuffle; a shuffled run only reverses the order of the files. */
function argv(request: RunnerRequest): readonly string[] {
  const files = request.shuffle ? [...request.files].reverse() : request.files;
  return [
    entryOf(request),
    ...(request.args ?? []),
    ...configuration(request.config),
    `--reporter=${reporter}`,
    // The option is a list of pairs: a comma or equal sign in a path must not split it.
    `--reporter-option=report=${encodeURIComponent(request.report)}`,
    `--reporter-option=longest=${longestTest(request)}`,
    "--no-parallel",
    "--no-watch",
    "--no-bail",
    "--no-dry-run",
    "--no-forbid-only",
    "--no-forbid-pending",
    "--no-allow-uncaught",
    "--no-pass-on-failing-test-suite",
    "--no-sort",
    "--retries=0",
    ...files.map((file) => join(request.project, file)),
  ];
}

function configuration(config: string | undefined): readonly string[] {
  if (config === undefined) return ["--no-config", "--no-package"];
  return basename(config) === "package.json"
    ? ["--no-config", `--package=${config}`]
    : ["--no-package", `--config=${config}`];
}

function summarise({ events, ended, project, folder, files }: MochaReport): TestReport {
  const inside = (file: string | null) => (file === null ? null : (projectPath(file, project) ?? file));
  const { tests, problems } = readTests({ events, ended, project, folder, files });
  const seen = new Set(
    events.flatMap((event) =>
      event.type === "file" || event.type === "unloaded" ? [inside(event.file) ?? ""] : [],
    ),
  );
  return {
    report: ended,
    tests: numberDuplicates(tests),
    loadErrors: events.flatMap((event) =>
      event.type === "unloaded"
        ? [{ file: inside(event.file) ?? "", message: describeError(event.error) }]
        : [],
    ),
    problems: [
      ...problems,
      ...events.flatMap((event) => outside(event, { inside, project, files })),
      ...(ended ? unmentioned(files, seen) : []),
    ],
  };
}

interface ProblemContext {
  inside(file: string | null): string | null;
  readonly project: string;
  readonly files: readonly string[];
}

/** Problems that belong to no single test. */
function outside(event: MochaEvent, { inside, project, files }: ProblemContext): readonly TestProblem[] {
  switch (event.type) {
    case "only":
      return [{ code: "only", file: inside(event.file), message: "a test or suite is marked .only" }];
    case "exit":
      return [
        { code: "early_exit", file: inside(event.file), message: "the process ended before the tests did" },
      ];
    case "unhandled": {
      // An error may arrive late; the stack shows which file it belongs to.
      const frames = projectFrames(event.error.stack, project).map((frame) => frame.split(":")[0] ?? "");
      const file = frames.find((frame) => files.includes(frame)) ?? inside(event.file);
      return [{ code: "unhandled", file, message: event.error.message }];
    }
    case "file":
    case "unloaded":
    case "test":
    case "result":
    case "hook":
      return [];
  }
}
