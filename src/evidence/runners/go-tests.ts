/** The tests of one package of `go test`: their files, and the reasons of failures. */
import { projectPath } from "../project-path.ts";
import { testId, fileOfTest } from "../test-ids.ts";
import type { FailureKind, TestProblem, TestResult } from "../test-result.ts";
import type { GoPackage, GoTest } from "./go-events.ts";

export interface GoContext {
  readonly project: string;
  /** Relative to the project, `.` for its root. */
  readonly folder: string;
  /** Text of the package's test files. */
  readonly texts: ReadonlyMap<string, string>;
}

interface GoTestResults {
  readonly tests: readonly TestResult[];
  readonly problems: readonly TestProblem[];
}

const declared = /^func ((?:Test|Example|Fuzz)\w*)\s*\(/gm;

export function readGoPackage(found: GoPackage, place: GoContext): GoTestResults {
  const files = new Map(
    [...place.texts].flatMap(([file, text]) => namesIn(text).map((name) => [name, file] as const)),
  );
  const fileOf = (name: string) => files.get(name.split("/")[0] ?? name) ?? place.folder;
  const tests = found.tests.map((test) => result(test, found, { ...place, file: fileOf(test.name) }));
  const seen = new Set(found.tests.map(({ name }) => name));
  const silent = [...files].filter(([name, file]) => !seen.has(name) && !isChosenByBuild(file, place.texts));
  const reported = new Set(tests.map(({ id }) => fileOfTest(id)));
  const lost = silent.filter(([, file]) => reported.has(file));
  const empty = [...place.texts.keys()].filter((file) => !reported.has(file));
  const crashed = new Map(
    tests.flatMap(({ kind, id, message }) => (kind === "crash" ? [[fileOfTest(id), message] as const] : [])),
  );
  if (found.isCutShort)
    for (const file of place.texts.keys())
      crashed.set(file, "the process exited with code 0 before the testing package was done");
  return {
    tests: [...tests, ...lost.map(([name, file]) => pending(testId(file, [name]), "it never started"))],
    problems: [
      ...[...crashed].map(([file, message]): TestProblem => ({
        code: "early_exit",
        file,
        message: `the process ended with unfinished tests: ${message}`,
      })),
      ...empty
        .filter((file) => found.outcome === "skip" || !isChosenByBuild(file, place.texts))
        .filter((file) => tests.length === 0 || !isHelper(place.texts.get(file) ?? ""))
        .map((file): TestProblem => ({ code: "no_tests", file, message: "no test of this file ran" })),
    ],
  };
}

/** An `Example` without expected output is compiled and never run. */
function namesIn(text: string): readonly string[] {
  return [...text.matchAll(declared)]
    .map((match) => match[1] ?? "")
    .filter((name) => name !== "TestMain" && !name.startsWith("Example"));
}

/** Test helpers named `_test.go` only to keep them out of the program. */
function isHelper(text: string): boolean {
  return /^package\s/m.test(text) && namesIn(text).length === 0;
}

/** A file for another system, or behind a build tag, may report no test. */
export function isChosenByBuild(file: string, texts: ReadonlyMap<string, string>): boolean {
  return (
    /^\/\/(?:go:build| \+build)\b/m.test(texts.get(file) ?? "") ||
    /_(?:linux|darwin|windows|freebsd|amd64|arm64|386|arm|wasm|js)_test\.go$/.test(file)
  );
}

function pending(id: string, message: string): TestResult {
  return { id, status: "pending", kind: "crash", message, frames: [] };
}

function result(test: GoTest, found: GoPackage, place: GoContext & { readonly file: string }): TestResult {
  const id = testId(place.file, test.name.split("/").map(numbered));
  // The code that ended the process may also have written the passes.
  if (test.outcome === "pass" && found.isCutShort)
    return pending(id, "its process ended outside of the testing package, so this proves nothing");
  if (test.outcome === "pass") return { id, status: "passed", kind: null, message: "", frames: [] };
  if (test.outcome === "skip") return { id, status: "skipped", kind: null, message: "", frames: [] };
  // A time-out ends the process before go reports the test as failed.
  if (test.outcome === null && !/^panic: /m.test(test.output))
    return pending(id, "it started, and its process ended first");
  // A test with failing subtests fails for the reason of the first one, unless it has output of its own.
  const parts = found.tests.filter(
    ({ name, outcome }) => name.startsWith(`${test.name}/`) && outcome === "fail",
  );
  const blamed = hasOwnOutput(test.output)
    ? test
    : (parts.find(({ output }) => hasOwnOutput(output)) ?? test);
  const { kind, message, frames } = reasonOf(blamed.output, place);
  return { id, status: "failed", kind, message, frames: [...frames] };
}

/** go names the second test of a name `name#01`. */
function numbered(name: string): string {
  return name.replace(/#(\d{2,})$/, (_all, count: string) => `#${Number(count) + 1}`);
}

const logged = /^\s+(\S.*?\.go):(\d+): (.*)$/m;

function hasOwnOutput(output: string): boolean {
  return /^panic: /m.test(output) || logged.test(output);
}

interface Reason {
  readonly kind: FailureKind;
  readonly message: string;
  readonly frames: readonly string[];
}

function reasonOf(output: string, { project, folder }: GoContext): Reason {
  const panic = /^panic: (.*)$/m.exec(output);
  if (panic !== null) {
    const message = (panic[1] ?? "")
      .replace(/ \[recovered\]$/, "")
      .replace(/^\w+\.\w+\{?"?(.*?)"?\}?$/, "$1");
    const kind = panicKind(message);
    return {
      kind,
      message,
      frames: kind === "timeout" ? [] : stackFrames(output.slice(panic.index), project),
    };
  }
  const log = logged.exec(output);
  const at = log === null ? [] : [`${folder === "." ? "" : `${folder}/`}${log[1]}:${log[2]}:1`];
  return { kind: "assertion", message: log?.[3] ?? "the test was marked as failed", frames: at };
}

function panicKind(message: string): FailureKind {
  if (message.startsWith("test timed out after ")) return "timeout";
  if (message.startsWith("unexpected call to os.Exit(")) return "crash";
  return /^(?:not implemented|not yet implemented|unimplemented)\b/i.test(message)
    ? "not-implemented"
    : "other-throw";
}

/** Project files in the stack of the panicking goroutine, innermost first; go prints no columns. */
function stackFrames(output: string, project: string): readonly string[] {
  const [stack = ""] = output.split(/^goroutine \d+ \[/m).slice(1);
  return [...stack.matchAll(/^\t(\/.*?):(\d+)(?: \+0x[0-9a-f]+)?$/gm)].flatMap((match) => {
    const path = projectPath(match[1] ?? "", project);
    return path === null ? [] : [`${path}:${match[2]}:1`];
  });
}
