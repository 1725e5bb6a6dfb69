/** Reads one test file of a vitest report: its tests and problems. */
import { classify } from "../../classify.ts";
import { projectFrames, projectPath } from "../../project-path.ts";
import { testId } from "../../test-ids.ts";
import type { FailureKind, TestProblem, TestReport, TestResult } from "../../test-result.ts";
import { vitestErrors } from "./messages.ts";
import type { VitestError, VitestNode, VitestReport, VitestTest } from "./report.ts";

export interface Module extends Omit<TestReport, "report"> {
  readonly file: string;
}

export function readModule(module: VitestReport["modules"][number], project: string): Module {
  const file = projectPath(module.file, project) ?? module.file;
  const nodes = module.children.flatMap((child) => flatten(child, [], []));
  const tests = nodes.flatMap((node) =>
    node.item.type === "test" ? [result(node, node.item, file, project)] : [],
  );
  const loose = module.errors.filter((error) => !vitestErrors.ended(error) && !vitestErrors.empty(error));
  const isLoaded = nodes.length > 0;
  return {
    file,
    tests,
    loadErrors: isLoaded ? [] : loose.slice(0, 1).map(({ message }) => ({ file, message })),
    problems: [
      ...module.errors
        .filter(vitestErrors.ended)
        .map(({ message }): TestProblem => ({ code: "early_exit", file, message })),
      ...(module.errors.some(vitestErrors.empty) || (!isLoaded && module.errors.length === 0)
        ? [{ code: "no_tests" as const, file, message: "the file holds no test" }]
        : []),
      ...(tests.some(({ status }) => status === "pending")
        ? [{ code: "killed" as const, file, message: "its worker ended before its tests" }]
        : []),
      ...(isLoaded ? loose.map(({ message }): TestProblem => ({ code: "hook", file, message })) : []),
      ...nodes.flatMap((node) => nodeProblems(node, file)),
    ],
  };
}

/** A suite or test, the names from the outermost suite to itself, and the errors of the surrounding suites. */
interface FlatNode {
  readonly item: VitestNode;
  readonly path: readonly string[];
  readonly around: readonly VitestError[];
}

function flatten(
  item: VitestNode,
  path: readonly string[],
  around: readonly VitestError[],
): readonly FlatNode[] {
  const own: FlatNode = { item, path: [...path, item.name], around };
  if (item.type === "test") return [own];
  return [own, ...item.children.flatMap((child) => flatten(child, own.path, [...around, ...item.errors]))];
}

function nodeProblems({ item, path }: FlatNode, file: string): readonly TestProblem[] {
  const name = `"${path.join(" > ")}"`;
  if (item.type === "suite") {
    const hook = item.errors.map(({ message }): TestProblem => ({
      code: "hook",
      file,
      message: `${name}: ${message}`,
    }));
    return flatten(item, [], []).some((node) => wasPrevented(node.item)) ? [] : hook;
  }
  if (item.errors.some(vitestErrors.only))
    return [{ code: "only", file, message: `${name} is marked .only` }];
  if (item.errors.some(vitestErrors.ended))
    return [{ code: "early_exit", file, message: `${name} ends the process` }];
  if (item.errors.some(vitestErrors.noAssertion))
    return [{ code: "no_assertion", file, message: `${name} asserts nothing` }];
  return [];
}

/** The test did not run because a hook of a surrounding suite failed. */
function wasPrevented(item: VitestNode): boolean {
  return item.type === "test" && item.mode === "run" && item.state === "skipped";
}

function result(node: FlatNode, test: VitestTest, file: string, project: string): TestResult {
  const id = testId(file, node.path);
  const plain = (status: TestResult["status"]): TestResult => ({
    id,
    status,
    kind: null,
    message: "",
    frames: [],
  });
  if (test.mode === "todo") return plain("todo");
  if (wasPrevented(test) && node.around[0] !== undefined) {
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
  // A pass that depends on an expected failure proves nothing; a pass after a retry failed first.
  if (test.fails) return { ...plain("todo"), message: "expected to fail (test.fails)" };
  if (test.retries > 0 && error !== undefined)
    return failed({ id, kind: kindOf(test, error), error, project });
  return plain("passed");
}

function kindOf(test: VitestTest, error: VitestError): FailureKind {
  if (vitestErrors.ended(error)) return "crash";
  if (vitestErrors.timedOut(error)) return "timeout";
  if (test.hook && test.errors.length === 1) return "hook";
  return classify(error);
}

interface FailedTest {
  readonly id: string;
  readonly kind: FailureKind;
  readonly error: VitestError;
  readonly project: string;
}

function failed({ id, kind, error, project }: FailedTest): TestResult {
  const mapped = error.frames.flatMap(({ file, line, column }) => {
    const path = projectPath(file, project);
    return path === null ? [] : [`${path}:${line}:${column}`];
  });
  const frames = mapped.length > 0 ? mapped : projectFrames(error.stack, project);
  return { id, status: "failed", kind, message: error.message, frames: [...frames] };
}
