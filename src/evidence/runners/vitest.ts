import { join } from "node:path";
import { classify } from "../classify.ts";
import { projectFrames, projectPath } from "../project-path.ts";
import type { Runner, RunnerRequest } from "../runner.ts";
import { numberDuplicates, testId } from "../test-ids.ts";
import type { FailureKind, Problem, TestReport, TestResult } from "../test-result.ts";
import { asset } from "./assets.ts";
import { said } from "./vitest-messages.ts";
import { type VitestError, type VitestNode, VitestReport, type VitestTest } from "./vitest-report.ts";

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
  env: { CI: "1", NO_COLOR: "1" },
  argv,
  parse({ report, project, files }) {
    const parsed = VitestReport.safeParse(report === null ? null : json(report));
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
    "--expect.requireAssertions",
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

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // the schema refuses null
  }
}

function summarise(report: VitestReport, project: string, files: readonly string[]): TestReport {
  const modules = report.modules.map((module) => readModule(module, project));
  const seen = new Set(modules.map(({ file }) => file));
  const tests = numberDuplicates(modules.flatMap((module) => module.tests));
  return {
    report: true,
    tests,
    loadErrors: modules.flatMap(({ loadErrors }) => loadErrors),
    problems: [
      ...modules.flatMap(({ problems }) => problems),
      ...report.unhandled.map((error): Problem => ({
        code: said.pool(error) ? "killed" : "unhandled",
        file: error.file === "" ? null : projectPath(error.file, project),
        message: said.pool(error) ? "a worker of the runner ended unexpectedly" : error.message,
      })),
      ...(report.reason === "interrupted"
        ? [{ code: "interrupted" as const, file: null, message: "vitest was interrupted" }]
        : []),
      ...files
        .filter((file) => !seen.has(join(".", file)))
        .map((file): Problem => ({
          code: "missing_file",
          file,
          message: "the report does not mention this test file",
        })),
    ],
  };
}

interface Module extends Omit<TestReport, "report"> {
  readonly file: string;
}

function readModule(module: VitestReport["modules"][number], project: string): Module {
  const file = projectPath(module.file, project) ?? module.file;
  const nodes = module.children.flatMap((child) => flatten(child, [], []));
  const tests = nodes.flatMap((node) =>
    node.item.type === "test" ? [result(node, node.item, file, project)] : [],
  );
  const loose = module.errors.filter((error) => !said.ended(error) && !said.empty(error));
  const isLoaded = nodes.length > 0;
  return {
    file,
    tests,
    loadErrors: isLoaded ? [] : loose.slice(0, 1).map(({ message }) => ({ file, message })),
    problems: [
      ...module.errors
        .filter(said.ended)
        .map(({ message }): Problem => ({ code: "early_exit", file, message })),
      ...(module.errors.some(said.empty) || (!isLoaded && module.errors.length === 0)
        ? [{ code: "no_tests" as const, file, message: "the file holds no test" }]
        : []),
      ...(isLoaded ? loose.map(({ message }): Problem => ({ code: "hook", file, message })) : []),
      ...nodes.flatMap((node) => nodeProblems(node, file)),
    ],
  };
}

/** A suite or test, the names of the suites around it and itself, and the errors of those suites. */
interface Flat {
  readonly item: VitestNode;
  readonly path: readonly string[];
  readonly around: readonly VitestError[];
}

function flatten(item: VitestNode, path: readonly string[], around: readonly VitestError[]): readonly Flat[] {
  const own: Flat = { item, path: [...path, item.name], around };
  if (item.type === "test") return [own];
  return [own, ...item.children.flatMap((child) => flatten(child, own.path, [...around, ...item.errors]))];
}

function nodeProblems({ item, path }: Flat, file: string): readonly Problem[] {
  const name = path.join(" > ");
  if (item.type === "suite") {
    const isBlamed = item.children.some((child) => child.type === "test" && child.state === "skipped");
    return isBlamed
      ? []
      : item.errors.map(({ message }) => ({ code: "hook", file, message: `${name}: ${message}` }));
  }
  if (item.errors.some(said.only)) return [{ code: "only", file, message: `${name} is marked .only` }];
  if (item.errors.some(said.ended))
    return [{ code: "early_exit", file, message: `${name} ends the process` }];
  if (item.errors.some(said.noAssertion))
    return [{ code: "no_assertion", file, message: `${name} asserts nothing` }];
  return [];
}

function result(node: Flat, test: VitestTest, file: string, project: string): TestResult {
  const id = testId(file, node.path);
  const plain = (status: TestResult["status"]): TestResult => ({
    id,
    status,
    kind: null,
    message: "",
    frames: [],
  });
  if (test.mode === "todo") return plain("todo");
  if (test.state === "skipped" && test.mode === "run" && node.around[0] !== undefined) {
    return failed({ id, kind: "hook", error: node.around[0], project });
  }
  if (test.state === "skipped") return plain("skipped");
  if (test.state === "pending") {
    return {
      id,
      status: "pending",
      kind: "crash",
      message: "announced, but its worker ended before it did",
      frames: [],
    };
  }
  const [error] = test.errors;
  if (test.state === "failed") {
    const unknown = { name: "", code: "", message: "failed without an error", stack: "", frames: [] };
    return failed({
      id,
      kind: error === undefined ? "other-throw" : kindOf(test, error),
      error: error ?? unknown,
      project,
    });
  }
  // A pass that rests on an expected failure is no proof; one that rests on a retry failed first.
  if (test.fails) return { ...plain("todo"), message: "expected to fail (test.fails)" };
  if (test.retries > 0 && error !== undefined)
    return failed({ id, kind: kindOf(test, error), error, project });
  return plain("passed");
}

function kindOf(test: VitestTest, error: VitestError): FailureKind {
  if (said.ended(error)) return "crash";
  if (said.timedOut(error)) return "timeout";
  if (test.hook && test.errors.length === 1) return "hook";
  return classify(error);
}

interface Failed {
  readonly id: string;
  readonly kind: FailureKind;
  readonly error: VitestError;
  readonly project: string;
}

function failed({ id, kind, error, project }: Failed): TestResult {
  const mapped = error.frames.flatMap(({ file, line, column }) => {
    const path = projectPath(file, project);
    return path === null ? [] : [`${path}:${line}:${column}`];
  });
  const frames = mapped.length > 0 ? mapped : projectFrames(error.stack, project);
  return { id, status: "failed", kind, message: error.message, frames: [...frames] };
}
