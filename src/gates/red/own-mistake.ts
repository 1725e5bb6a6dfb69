/** Whether a test fails because its own helper or a test library lacks a member, which no unit can fix. */
import type { TestResult } from "../../evidence/test-result.ts";
import { isOfTests, kindOf, type PathRules } from "../../source/paths.ts";
import { candidates, pythonFile } from "../../source/module-paths.ts";

export interface HelperFacts {
  readonly rules: PathRules;
  /** Text of a test file. */
  text(path: string): string | undefined;
  has(path: string): boolean;
}

export function lacksInHelper(test: TestResult, facts: HelperFacts): boolean {
  const [, path = "", line, column] = /^(.*):(\d+):(\d+)$/.exec(test.frames[0] ?? "") ?? [];
  const message = test.message.split("\n")[0] ?? "";
  if (kindOf(path, facts.rules) !== "test") return false;
  const module = /\bmodule '([\w.]+)' has no attribute '/.exec(message)?.[1];
  if (module !== undefined) {
    const file = pythonFile(module, path, (one) => facts.has(one));
    return file === null || kindOf(file, facts.rules) === "test";
  }
  if (!/ is not a (?:function|constructor)$/.test(message)) return false;
  const text = facts.text(path);
  const own = text?.split("\n")[Number(line) - 1];
  if (text === undefined || own === undefined) return false;
  const from = sourceOf(text, rootAt(own, Number(column) - 1));
  if (from === null) return false;
  if (!from.startsWith(".")) return isLibrary(from);
  const file = candidates(path, from).find((one) => facts.has(one));
  return file !== undefined && isOfTests(file, facts.rules);
}

/** `helper` in `helper.make.one()`; V8 reports the column of the last name. */
function rootAt(line: string, column: number): string {
  const before = /(?:[\p{L}_$][\p{L}\p{N}_$]*\s*\??\.\s*)*$/u.exec(line.slice(0, column))?.[0] ?? "";
  return /[\p{L}_$][\p{L}\p{N}_$]*/u.exec(before + line.slice(column))?.[0] ?? "";
}

const bindings =
  /(?:\bimport\s+([^;"'()]*?)\s*from\s*|\b(?:const|let|var)\s+([^=;]+?)\s*=\s*(?:await\s+)?(?:require|import)\s*\(\s*)(["'])([^"'\n]+)\3/g;

/** The module from which a file imports a name. */
function sourceOf(text: string, name: string): string | null {
  const isBound = (clause: string) => clause.split(/[^\p{L}\p{N}_$]+/u).includes(name);
  const found = [...text.matchAll(bindings)].find((match) => isBound(match[1] ?? match[2] ?? ""));
  return found?.[4] ?? null;
}

function isLibrary(from: string): boolean {
  return /^node:|^(?:assert|chai|vitest|jest|mocha|sinon|should|supertest|expect)(?:\/|$)|^@(?:jest|vitest|testing-library)\//.test(
    from,
  );
}
