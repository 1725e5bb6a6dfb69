/** What is known of each file of a memory bank: whether it is there, whether it says something, what refers to nothing. Pure. */
import { memoryNames, type MemoryNumber } from "../../notation/memory-reference.ts";
import { memoryPath, type BankFile } from "./files.ts";
import { findReferences } from "./references.ts";
import { isRegionEdited, withoutMarkers } from "./region.ts";
import { noRunYet, templateOf } from "./templates.ts";

export interface BankFileState {
  readonly path: string;
  /** `σ₂`; null for a file that no protocol knows. */
  readonly name: string | null;
  /** `edited`: somebody changed the part that a run writes, and the next event of a run overwrites it. */
  readonly state: "filled" | "empty" | "edited" | "missing";
  /** Without the markers of the part that a run writes; empty if it is missing. */
  readonly text: string;
  /** References in it that lead nowhere, as `line: reference: reason`. */
  readonly broken: readonly string[];
}

/** The six known files first, each in its place, then all others. */
export function bankStates(files: readonly BankFile[]): readonly BankFileState[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const hasProtection = byPath.has(memoryPath(6));
  const numbers: readonly MemoryNumber[] = hasProtection ? [1, 2, 3, 4, 5, 6] : [1, 2, 3, 4, 5];
  const references = findReferences(files, { protection: hasProtection });
  const known = new Set(numbers.map(memoryPath));
  const stateOf = (path: string, number: MemoryNumber | null): BankFileState => {
    const text = byPath.get(path)?.text ?? null;
    return {
      path,
      name: number === null ? null : memoryNames[number],
      state:
        text === null
          ? "missing"
          : isRegionEdited(text)
            ? "edited"
            : isEmpty(text, number)
              ? "empty"
              : "filled",
      text: text === null ? "" : withoutMarkers(text),
      broken: references.flatMap(({ file, line, text: written, broken }) =>
        file === path && broken !== null ? [`line ${line}: ${written}: ${broken}`] : [],
      ),
    };
  };
  return [
    ...numbers.map((number) => stateOf(memoryPath(number), number)),
    ...files.filter(({ path }) => !known.has(path)).map(({ path }) => stateOf(path, null)),
  ];
}

/** Only headings, hints and what a new bank begins with. */
function isEmpty(text: string, number: MemoryNumber | null): boolean {
  if (number !== null && text.trim() === templateOf(number).trim()) return true;
  // In σ₆ a line with # is a comment; elsewhere it is a heading.
  return withoutMarkers(text)
    .replaceAll(/<!--[^]*?-->/gu, "")
    .split("\n")
    .every((line) => line.trim() === "" || line.startsWith("#") || line.trim() === noRunYet);
}
