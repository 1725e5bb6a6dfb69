/** The text of a test with the functions of its file that it calls, so that an assertion may move into one of them. */
import { indentedBlock, languageOf, readCode } from "../../source/code-text.ts";
import { closing, readScript } from "../../source/script.ts";

const definitions =
  /\bfunction\s+([\p{L}\p{N}_$]+)|\b(?:const|let|var)\s+([\p{L}\p{N}_$]+)\s*=\s*(?:async\s*)?(?:function\b|\([^()]*\)\s*=>|[\p{L}\p{N}_$]+\s*=>)|^[ \t]*(?:async\s+)?def\s+(\w+)|^func\s+(\w+)|\bfn\s+(\w+)/gmu;

export interface WithCalled {
  /** The test, and the body of such a function for each call. */
  readonly text: string;
  /** The calls, which hold the expected values. */
  readonly calls: readonly string[];
}

const callee = /(?<![\p{L}\p{N}_$.])([\p{L}_$][\p{L}\p{N}_$]*)\s*(?=\()/gu;

/** @param around the text of the file outside of its tests */
export function withCalled(text: string, around: string, path: string): WithCalled {
  const functions = functionsIn(around, path);
  const called = [...text.matchAll(callee)].flatMap(({ index, 0: { length }, 1: name = "" }) => {
    const body = functions.get(name);
    if (body === undefined) return [];
    return [{ body, call: text.slice(index, closing(text, index + length) + 1) }];
  });
  return {
    text: [text, ...called.map(({ body }) => body)].join("\n"),
    calls: called.map(({ call }) => call),
  };
}

function functionsIn(around: string, path: string): ReadonlyMap<string, string> {
  const language = languageOf(path);
  const { code } = language === null ? readScript(around) : readCode(around, language);
  const found = new Map<string, string>();
  for (const match of code.matchAll(definitions)) {
    const name = match.slice(1).find((one) => one !== undefined) ?? "";
    const from = match.index + match[0].length;
    const end = language === "python" ? indentedBlock(code, from).end : endOfBody(code, from);
    found.set(name, around.slice(from, end));
  }
  return found;
}

/** A body in braces, or the rest of the line. */
function endOfBody(code: string, from: number): number {
  const [open, line] = [code.indexOf("{", from), code.indexOf("\n", from)];
  const isBlock = open !== -1 && (line === -1 || open < line);
  return isBlock ? closing(code, open) + 1 : line === -1 ? code.length : line;
}
