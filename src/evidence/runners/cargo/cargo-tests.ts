/** One libtest test: its file and the reason of its failure. */
import { posix } from "node:path";
import { projectPath } from "../../project-path.ts";
import { testId } from "../../test-ids.ts";
import type { FailureKind, TestResult } from "../../test-result.ts";
import type { CargoTest } from "./cargo-output.ts";

export interface CargoContext {
  readonly project: string;
  /** Folder of the package, relative to the project; empty for the root. */
  readonly folder: string;
  /** The target's root file, relative to the project: `src/lib.rs`, `tests/a.rs`. */
  readonly root: string;
  /** Text of the requested files. */
  readonly texts: ReadonlyMap<string, string>;
}

export function cargoResult(test: CargoTest, place: CargoContext): TestResult {
  const { file, path } = placed(test.name, place);
  return judged(testId(file, path), test, place);
}

/** `src/lib.rs - add (line 3)`: the id excludes the line, which moves with every change above it. */
export function documentedResult(test: CargoTest, place: CargoContext): TestResult {
  const [, file = place.root, item = ""] = /^(.+?\.\w+) - (.*?)\s*\(line \d+\)/.exec(test.name) ?? [];
  return judged(testId(file, ["doc", ...(item === "" ? [] : [item])]), test, place);
}

function judged(id: string, test: CargoTest, place: CargoContext): TestResult {
  switch (test.outcome) {
    case "ok":
      return { id, status: "passed", kind: null, message: "", frames: [] };
    case "ignored":
      return { id, status: "skipped", kind: null, message: "", frames: [] };
    case "FAILED":
      return { id, status: "failed", ...reasonOf(test.output, place) };
    case "timeout":
      return { id, status: "failed", kind: "timeout", message: "it took too long", frames: [] };
    case null:
      return {
        id,
        status: "pending",
        kind: "crash",
        message: "it started, and its process ended first",
        frames: [],
      };
  }
}

/** The deepest module in a test's name that has its own file among the requested ones. */
function placed(name: string, { root, texts }: CargoContext): { file: string; path: readonly string[] } {
  const parts = name.split("::");
  const folder = posix.dirname(root);
  for (let depth = parts.length - 1; depth > 0; depth--) {
    const module = posix.join(folder, ...parts.slice(0, depth));
    const file = [`${module}.rs`, `${module}/mod.rs`].find((one) => texts.has(one));
    if (file !== undefined) return { file, path: parts.slice(depth) };
  }
  return { file: root, path: parts };
}

interface Reason {
  readonly kind: FailureKind;
  readonly message: string;
  readonly frames: string[];
}

/** `panicked at src/lib.rs:10:5:` followed by the message; before Rust 1.73 the message comes first, in quotes. */
const panicked =
  /^thread '.*?' (?:\(\d+\) )?panicked at (?:'([\s\S]*?)', )?([^\n]*?):(\d+):(\d+)(?::\n([^\n]*))?$/m;

/** So an old libtest asserts that a test returned no error. */
const returned = /the test returned a termination value with a non-zero status code/;

function reasonOf(output: string, place: CargoContext): Reason {
  const panic = panicked.exec(output);
  if (panic === null || returned.test(panic[1] ?? "")) {
    const should = /^note: (test did not panic as expected.*)$/m.exec(output)?.[1];
    if (should !== undefined) return { kind: "assertion", message: should, frames: [] };
    const compiler = /^error(?:\[E\d+\])?: (.*)$/m.exec(output)?.[1];
    if (compiler !== undefined) return { kind: "load", message: compiler, frames: [] };
    const text = /^Error: (.*)$/m.exec(output)?.[1] ?? output.trim().split("\n")[0] ?? "";
    return { kind: "other-throw", message: text, frames: [] };
  }
  const [, old, file = "", line = "", column = "", text = ""] = panic;
  const message = old ?? text;
  const path = pathOf(file, place);
  const frames = stackFrames(output, place);
  const own = path === null ? [] : [`${path}:${line}:${column}`];
  return {
    kind: kindOf(message, path === null ? "" : lineOf(place.texts.get(path) ?? "", Number(line))),
    message,
    frames: frames.length > 0 ? frames : own,
  };
}

/** Macros, and assert_cmd's checks of a program's output. */
const asserts = /\b(?:debug_)?assert\w*!|\.(?:assert|success|failure|stdout|stderr|code)\(/;

/** `assert!(a, "words")` panics with the words alone, so the panicking source line is searched too. */
function kindOf(message: string, line: string): FailureKind {
  if (/^not (?:yet )?implemented\b/.test(message)) return "not-implemented";
  if (/^(?:snapshot )?assertion /.test(message) || asserts.test(line)) return "assertion";
  return "other-throw";
}

function lineOf(text: string, line: number): string {
  return text.split("\n")[line - 1] ?? "";
}

function pathOf(file: string, { project, folder }: CargoContext): string | null {
  return projectPath(posix.isAbsolute(file) ? file : posix.join(project, folder, file), project);
}

/** Frames of the project's files, innermost first, without libtest's closure around each test. */
function stackFrames(output: string, place: CargoContext): string[] {
  const found = [...output.matchAll(/^ +\d+: (.*)\n +at (.+?):(\d+):(\d+)$/gm)].flatMap(
    ([, name = "", file = "", line, column]) => {
      const path = pathOf(file, place);
      return path === null ? [] : [{ name, frame: `${path}:${line}:${column}` }];
    },
  );
  // `a::adds::{{closure}}`, in newer versions `a::adds::{closure#0}`.
  const isWrapper = (name: string, inner: string) =>
    name.startsWith(`${inner}::{`) && /closure(?:#\d+)?\}+$/.test(name.slice(inner.length));
  return found
    .filter(({ name }, index) => index === 0 || !isWrapper(name, found[index - 1]?.name ?? ""))
    .map(({ frame }) => frame);
}
