/** Comments by which the author of a test says why RED may accept it as it is (PRV-22). */
import { fileOfTest, titleOfTest } from "../../evidence/test-ids.ts";
import type { TextFile } from "../../source/test-marks-javascript.ts";

/** A comment such as `// passes already: upper case was never changed`. */
export interface AuthorNote {
  readonly path: string;
  readonly reason: string;
  /** The next line of code, and the previous line; either contains the test's name. */
  readonly below: string;
  readonly above: string;
}

const passes = /(?:\/\/|#|\/\*|--)\s*passes already:\s*(\S.*?)\s*(?:\*\/)?$/gim;
const throwsNothing = /(?:\/\/|#|\/\*|--)\s*must not (?:throw|raise|panic):\s*(\S.*?)\s*(?:\*\/)?$/gim;

/** `passes already: REASON`. */
export function passNotes(file: TextFile): readonly AuthorNote[] {
  return notesIn(file, passes);
}

/** `must not raise: REASON`. */
export function mustNotThrowNotes(file: TextFile): readonly AuthorNote[] {
  return notesIn(file, throwsNothing);
}

function notesIn({ path, text }: TextFile, note: RegExp): readonly AuthorNote[] {
  return [...text.matchAll(note)].map((match) => {
    const above = text.slice(0, match.index).split("\n").at(-2) ?? "";
    const after = text
      .slice(match.index + match[0].length)
      .split("\n")
      .slice(1);
    const below = after.find((line) => line.trim() !== "" && !/^\s*(?:\/\/|#|@|\*)/.test(line)) ?? "";
    return { path, reason: match[1] ?? "", below, above };
  });
}

/** @returns the author's reason at the test with this id; undefined where there is none */
export function noteFor(
  id: string,
  all: readonly string[],
  notes: readonly AuthorNote[],
): string | undefined {
  const path = fileOfTest(id);
  const others = all.filter((other) => other !== id && fileOfTest(other) === path).map(nameOf);
  const name = nameOf(id);
  return notes.find(
    (one) =>
      one.path === path &&
      (one.below.includes(name) ||
        (one.above.includes(name) && !others.some((other) => one.below.includes(other)))),
  )?.reason;
}

/** The title or the function name, without parameters. */
export function nameOf(id: string): string {
  const title = titleOfTest(id);
  return title.replace(/\[.*\]$/, "");
}
