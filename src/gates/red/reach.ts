/**
 * The planned unit in a form in which it throws the marker wherever a test reaches it. A test that failed by an error and now
 * fails by this marker reached the unit: its error was one of the unit's making (PRV-22).
 */
import { assertNever } from "../../lib/assert-never.ts";
import { languageOf } from "../../source/code-text.ts";
import { isScript } from "../../source/syntax.ts";
import { throwingGo, throwingRust } from "./reach-compiled.ts";
import { throwingPython } from "./reach-python.ts";
import { throwingScript, type Throwing } from "./reach-script.ts";

/** Files to write in the place of one source file of the unit, and beside it. */
export function throwingUnit(
  file: Throwing,
  lacking: readonly string[],
): readonly { readonly path: string; readonly content: string }[] {
  const { path } = file;
  const language = languageOf(path);
  switch (language) {
    case "python":
      return [{ path, content: throwingPython(file, lacking) }];
    case "go":
      return file.whole ? throwingGo(file) : [];
    case "rust":
      return file.whole ? [{ path, content: throwingRust(file) }] : [];
    case null: {
      const content = isScript(path) && !/\.d\.[cm]?ts$/.test(path) ? throwingScript(file) : null;
      return content === null ? [] : [{ path, content }];
    }
    default:
      return assertNever(language);
  }
}

/** Names that a test looked for on a class and did not find, by Python's words. */
export function lackingNames(messages: readonly string[]): readonly string[] {
  const names = messages.map((message) => /\bhas no attribute '(\w+)'/.exec(message)?.[1]);
  return [...new Set(names.filter((name) => name !== undefined))];
}
