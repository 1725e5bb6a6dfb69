import { join } from "node:path";
import { projectPath } from "../project-path.ts";
import type { Runner, RunnerRequest } from "../runner.ts";
import { numberDuplicates } from "../test-ids.ts";
import type { Problem, TestReport } from "../test-result.ts";
import { asset } from "./assets.ts";
import { assertsElsewhere } from "./other-assertions.ts";
import { said } from "./vitest-messages.ts";
import { type Module, readModule } from "./vitest-module.ts";
import { VitestReport } from "./vitest-report.ts";
import { reportValue } from "./report-json.ts";

const reporter = asset("vitest-reporter.mjs");
const config = asset("vitest-config.mjs");

/** vitest 3 and newer, read through a reporter of our own: its JSON calls a killed worker a success. */
export const vitest: Runner = {
  name: "vitest",
  entry: "node_modules/vitest/vitest.mjs",
  testFiles: ["js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx"].flatMap((ending) => [
    `**/*.test.${ending}`,
    `**/*.spec.${ending}`,
  ]),
  assets: [reporter, config],
  // CI: snapshots are compared, never written.
  env: { CI: "1" },
  argv,
  parse({ report, project, files }) {
    const parsed = VitestReport.safeParse(report === null ? null : reportValue(report));
    if (!parsed.success) return { report: false, tests: [], loadErrors: [], problems: [] };
    return summarise(parsed.data, project, files);
  },
};

function argv(request: RunnerRequest): readonly string[] {
  const perTest = Math.max(1, Math.floor(request.timeoutMs / 2));
  const own = request.config ?? config;
  return [
    request.entry ?? join(request.project, "node_modules", "vitest", "vitest.mjs"),
    "run",
    ...(request.args ?? []),
    `--root=${request.project}`,
    `--config=${own}`,
    // The other loader bundles the config into a file inside the project, which may be read-only.
    `--configLoader=${/\.[cm]?js$/.test(own) ? "native" : "runner"}`,
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
    `--testTimeout=${perTest}`,
    `--hookTimeout=${perTest}`,
    ...(request.shuffle ? ["--sequence.shuffle.files", "--sequence.shuffle.tests"] : []),
    ...(request.shuffle && request.seed !== undefined ? [`--sequence.seed=${request.seed}`] : []),
    ...request.files.map((file) => join(request.project, file)),
  ];
}

/** It counts no other assertion than `expect`, and can be asked to count for a whole run only. */
function countsAll({ texts }: RunnerRequest): boolean {
  return texts === undefined || ![...texts.values()].some(assertsElsewhere);
}

function summarise(report: VitestReport, project: string, files: readonly string[]): TestReport {
  const modules = report.modules.map((module) => readModule(module, project));
  const problems = modules.flatMap((module) => module.problems);
  const isKilled = problems.some(({ code }) => code === "killed");
  return {
    report: true,
    tests: numberDuplicates(modules.flatMap(({ tests }) => tests)),
    loadErrors: modules.flatMap(({ loadErrors }) => loadErrors),
    problems: [
      ...problems,
      ...report.unhandled
        .filter((error) => !isKilled || !said.pool(error))
        .map((error) => outside(error, project)),
      ...(report.reason === "interrupted"
        ? [{ code: "interrupted" as const, file: null, message: "vitest was interrupted" }]
        : []),
      ...missing(files, modules),
    ],
  };
}

/** An error that no test owns. */
function outside(error: VitestReport["unhandled"][number], project: string): Problem {
  const file = error.file === "" ? null : projectPath(error.file, project);
  if (said.pool(error)) return { code: "killed", file, message: "a worker of the runner ended unexpectedly" };
  return { code: "unhandled", file, message: error.message };
}

function missing(files: readonly string[], modules: readonly Module[]): readonly Problem[] {
  const seen = new Set(modules.map(({ file }) => file));
  return files
    .filter((file) => !seen.has(join(".", file)))
    .map((file) => ({ code: "missing_file", file, message: "the report does not mention this test file" }));
}
