/**
 * Rewrites the unit so that it throws the marker, or does no work, wherever a test reaches it. If a test failed by an error and now
 * fails by this marker, it reached the unit, so the unit caused its error (PRV-22).
 */
import { assertNever } from "../../lib/assert-never.ts";
import { languageOf } from "../../source/code-text.ts";
import { isScript } from "../../source/syntax.ts";
import { throwingGo, throwingRust } from "./reach-compiled.ts";
import { rewrittenPython } from "./reach-python.ts";
import { rewrittenScript, type RewriteRequest } from "./reach-script.ts";

/** The files to write: the rewritten source file, and those beside it. */
export function rewrittenUnit(
  file: RewriteRequest,
  lacking: readonly string[] = [],
): readonly { readonly path: string; readonly content: string }[] {
  const { path, answer } = file;
  const isMarked = file.whole && answer.how === "throw";
  const language = languageOf(path);
  switch (language) {
    case "python":
      return [{ path, content: rewrittenPython(file, lacking) }];
    case "go":
      return isMarked ? throwingGo({ ...file, mark: answer.mark }) : [];
    case "rust":
      return isMarked ? [{ path, content: throwingRust({ ...file, mark: answer.mark }) }] : [];
    case null: {
      const content = isScript(path) && !/\.d\.[cm]?ts$/.test(path) ? rewrittenScript(file) : null;
      return content === null ? [] : [{ path, content }];
    }
    default:
      return assertNever(language);
  }
}

/** Names that a test did not find on a class, from Python's messages. */
export function lackingNames(messages: readonly string[]): readonly string[] {
  const names = messages.map((message) => /\bhas no attribute '(\w+)'/.exec(message)?.[1]);
  return [...new Set(names.filter((name) => name !== undefined))];
}
