/** Test results from a report in the XML of JUnit. */
import { posix } from "node:path";
import { classify } from "../../classify.ts";
import { projectPath } from "../../project-path.ts";
import { testId } from "../../test-ids.ts";
import type { FailureKind, TestProblem, TestResult } from "../../test-result.ts";
import type { XmlCase, XmlOutcome } from "./read-xml.ts";

export interface JunitContext {
  /** Absolute path of the project. */
  readonly project: string;
  /** The requested test files, relative to the project. */
  readonly files: readonly string[];
}

/** Null where neither the report nor the class names a file of the project. */
export function junitResult(one: XmlCase, context: JunitContext): TestResult | null {
  const file = fileOf(one, context);
  if (file === null) return null;
  const { outcome } = one;
  return {
    id: testId(file, [...suitesOf(one, file), one.name]),
    status: statusOf(outcome),
    kind: outcome.status === "passed" || outcome.status === "skipped" ? null : kindOf(outcome),
    message: messageOf(outcome),
    frames: [...framesIn(`${outcome.message}\n${outcome.text}`, context)],
  };
}

/** `this test did not perform any assertions` of PHPUnit; other runners only count. */
export function withoutAssertion(one: XmlCase, context: JunitContext): readonly TestProblem[] {
  if (one.outcome.status !== "passed" || one.assertions !== 0) return [];
  const message = `"${one.name}" asserts nothing`;
  return [{ code: "no_assertion", file: fileOf(one, context), message }];
}

function fileOf({ file, classname }: XmlCase, { project, files }: JunitContext): string | null {
  if (file !== null) return projectPath(file, project);
  const path = classname.replace(/\$.*$/s, "").replaceAll(/[.\\]/g, "/");
  return (
    files.find((one) => {
      const stem = one.slice(0, one.length - posix.extname(one).length);
      return stem === path || stem.endsWith(`/${path}`);
    }) ?? null
  );
}

/** The suites of a test within its file: a class with the file's name is the file itself. Bun names suites inside a file. */
function suitesOf({ classname, suites }: XmlCase, file: string): readonly string[] {
  const own = posix.basename(file, posix.extname(file));
  const inFile = suites.slice(suites.indexOf(file) + 1);
  const titles = suites.includes(file) ? inFile : [classname.split(/[.\\]/).at(-1) ?? ""];
  return titles.filter((title) => title !== "" && title !== own && title !== file);
}

function statusOf({ status, message }: XmlOutcome): TestResult["status"] {
  if (status === "skipped") return /^todo$/i.test(message) ? "todo" : "skipped";
  return status === "passed" ? "passed" : "failed";
}

/** A failure is a failed assertion, unless its class names another error: some runners know only failures. */
function kindOf(outcome: XmlOutcome): FailureKind {
  const name = outcome.type.split(/[.\\:]/).at(-1) ?? "";
  if (/assert|expectation|comparison/i.test(name)) return "assertion";
  if (/^(?:TimeoutError|TestTimedOutException)$/.test(name)) return "timeout";
  const isPlain = outcome.status === "failed" && !/(?:Error|Exception)$/.test(name);
  return isPlain ? "assertion" : classify({ name, code: "", message: messageOf(outcome) });
}

/** The first line names what was thrown: without the test's own name, and without the class before a marker. */
function messageOf({ status, message, type, text }: XmlOutcome): string {
  if (status === "passed" || status === "skipped") return "";
  if (message !== "") return message.trim();
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !/^\w[\w\\]*::\w/.test(line));
  const [first = type] = lines;
  return first.startsWith(`${type}: `) ? first.slice(type.length + 2) : first;
}

/** `path:line:column`, innermost first: of V8, of PHP, and of Java in the usual folders of Maven and Gradle. */
function framesIn(text: string, { project, files }: JunitContext): readonly string[] {
  return text.split("\n").flatMap((line) => {
    const [, owner = "", name = "", row] =
      /^\s*at ([\w.$]+)\.[\w$<>]+\((\w+\.(?:java|kt|scala|groovy)):(\d+)\)/.exec(line) ?? [];
    if (row !== undefined) return [`${javaFile(owner, name, files)}:${row}:1`];
    const [, path, at, column = "1"] =
      /(?:^\s*|\(|\bat )((?:\/|[A-Za-z]:[\\/]|\w)[^\s:()]*\.\w+):(\d+)(?::(\d+))?\)?\s*$/.exec(line) ?? [];
    const own = path === undefined ? null : projectPath(path, project);
    return own === null || at === undefined ? [] : [`${own}:${at}:${column}`];
  });
}

function javaFile(owner: string, name: string, files: readonly string[]): string {
  const path = [...owner.split(".").slice(0, -1), name].join("/");
  const extension = posix.extname(name).slice(1);
  const language = extension === "kt" ? "kotlin" : extension;
  return files.find((file) => file.endsWith(`/${path}`)) ?? `src/main/${language}/${path}`;
}
