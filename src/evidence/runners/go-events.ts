/** Parses the output of `go test -json`: one JSON event per line, and plain lines for packages that were not built. */
import * as z from "zod";
import { parseJson } from "../../lib/json.ts";
import type { CompileError } from "../test-result.ts";

const GoEvent = z.object({
  Action: z.string(),
  Package: z.string().optional(),
  Test: z.string().optional(),
  Output: z.string().optional(),
  ImportPath: z.string().optional(),
});

export interface GoTest {
  /** `TestA/part`. */
  readonly name: string;
  readonly output: string;
  /** Null: the test started and never ended. */
  readonly outcome: "pass" | "fail" | "skip" | null;
}

export interface GoPackage {
  /** Import path. */
  readonly path: string;
  readonly tests: readonly GoTest[];
  /** The compiler's output, or the package's own output while it loads; null where its tests started. */
  readonly unbuilt: string | null;
  /** All compile errors, with paths relative to go's working folder. */
  readonly errors: readonly CompileError[];
  /** Null: its end was not reported. */
  readonly outcome: string | null;
  /** Its process exited with code 0 outside of the testing package. */
  readonly isCutShort: boolean;
}

interface Draft {
  readonly tests: Map<string, { output: string; outcome: GoTest["outcome"] }>;
  unbuilt: boolean;
  outcome: string | null;
  isCutShort: boolean;
  /** Thrown outside of every test, while package variables are initialised. */
  panic: string | null;
}

/** Null when the output is not that of `go test -json`. */
export function readGoEvents(stdout: string, stderr: string): readonly GoPackage[] | null {
  const packages = new Map<string, Draft>();
  const built: string[] = [];
  const of = (path: string): Draft => {
    const known = packages.get(path) ?? {
      tests: new Map(),
      unbuilt: false,
      outcome: null,
      isCutShort: false,
      panic: null,
    };
    packages.set(path, known);
    return known;
  };
  const say = (line: string) => {
    const failed = /^FAIL\t(\S+) \[(?:build|setup) failed\]/.exec(line)?.[1];
    if (failed !== undefined) of(failed).unbuilt = true;
  };
  for (const line of stdout.split("\n")) {
    const parsed = GoEvent.safeParse(line.startsWith("{") ? parseJson(line) : null);
    if (!parsed.success) {
      say(line);
      continue;
    }
    const { Action: action, Package: path, Test: name, Output: output = "" } = parsed.data;
    if (action === "build-output") built.push(output);
    if (path === undefined) continue;
    // Printed by mettle-go-exec.mjs.
    if (output.startsWith("mettle: the process ended before its tests did")) of(path).isCutShort = true;
    if (name === undefined) {
      say(output);
      of(path).panic ??= /^panic: (.*)$/m.exec(output)?.[1] ?? null;
      if (["pass", "fail", "skip"].includes(action)) of(path).outcome = action;
      continue;
    }
    const test = of(path).tests.get(name) ?? { output: "", outcome: null };
    of(path).tests.set(name, test);
    if (action === "output") test.output += output;
    if (action === "pass" || action === "fail" || action === "skip") test.outcome = action;
  }
  if (packages.size === 0) return null;
  return [...packages].map(([path, { tests, unbuilt, outcome, isCutShort, panic }]) => ({
    path,
    isCutShort,
    tests: [...tests].map(([name, test]) => ({ name, ...test })),
    errors: unbuilt ? compilerErrors(path, `${built.join("")}\n${stderr}`) : [],
    unbuilt: unbuilt ? compilerOutput(path, `${built.join("")}\n${stderr}`) : tests.size === 0 ? panic : null,
    outcome: unbuilt ? "fail" : outcome,
  }));
}

function compilerErrors(path: string, text: string): readonly CompileError[] {
  return partsOf(path, text).flatMap((part) =>
    [...part.matchAll(/^(\S.*?\.go):(\d+)(?::\d+)?: (.*(?:\n\t.*)*)/gm)].map(
      ([, file = "", line, words = ""]) => ({
        file,
        line: Number(line),
        message: words.split("\n")[0] ?? "",
        words,
      }),
    ),
  );
}

/** The errors below `# <package>`, `# <package> [<package>.test]` and `# <package>_test [<package>.test]`. */
function partsOf(path: string, text: string): readonly string[] {
  const parts = text.split(/^# /m).slice(1);
  return parts.filter((part) => [path, `${path}_test`].includes(part.split(/[\s[]/)[0] ?? ""));
}

/** The lines below `# <package>`, the heading of each package's errors. */
function compilerOutput(path: string, text: string): string {
  const parts = text.split(/^# /m).slice(1);
  const own = parts.find((part) => part.split(/[\s[]/)[0] === path) ?? text;
  const lines = own
    .split("\n")
    .filter((line) => /^\S.*?\.go:\d+/.test(line) || /^\s*(?:no|package) /.test(line));
  return (lines[0] ?? own.trim().split("\n").at(-1) ?? "it was not built").trim();
}
