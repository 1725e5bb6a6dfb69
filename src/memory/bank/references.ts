/** Finds every `[↗️σₓ:Rₓ]` of the memory bank and checks that its target exists exactly once. Pure. */
import { memoryNames, parseReferences, type MemoryNumber } from "../../notation/memory-reference.ts";
import { partsNamed } from "./document.ts";
import { memoryPath, type BankFile } from "./files.ts";
import { withoutRegion } from "./region.ts";

export interface FoundReference {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** The reference as written. */
  readonly text: string;
  /** The target as `file:line`; null if broken. */
  readonly to: string | null;
  /** Why the reference is broken; null if it is valid. */
  readonly broken: string | null;
}

export interface ReferenceOptions {
  /** False under a protocol without σ₆, even if the file exists. */
  readonly protection: boolean;
}

export function findReferences(
  files: readonly BankFile[],
  options: ReferenceOptions,
): readonly FoundReference[] {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  return files.flatMap(({ path: file, text }) =>
    // The part that a run writes is skipped: a person cannot fix it.
    parseReferences(withoutRegion(text)).map((reference) => {
      const { line, column } = reference.at;
      const found = resolve(texts, reference, options);
      return {
        file,
        line,
        column,
        text: reference.text,
        to: "to" in found ? found.to : null,
        broken: "broken" in found ? found.broken : null,
      };
    }),
  );
}

type Resolution = { readonly to: string } | { readonly broken: string };

interface ReferenceTarget {
  readonly memory: MemoryNumber | null;
  readonly target: string;
}

function resolve(
  texts: ReadonlyMap<string, string>,
  { memory, target }: ReferenceTarget,
  { protection }: ReferenceOptions,
): Resolution {
  if (memory === null)
    return { broken: `there is no such memory file: they are σ₁ to σ${protection ? "₆" : "₅"}` };
  const path = memoryPath(memory);
  const name = memoryNames[memory];
  if (memory === 6 && !protection) return { broken: `there is no such memory file: they are σ₁ to σ₅` };
  const text = texts.get(path);
  if (text === undefined) return { broken: `${name} is missing: there is no ${path}` };
  if (target === "") return { broken: "it names no section or field" };
  const parts = partsNamed(text, target);
  const [only] = parts;
  if (only === undefined) return { broken: `${name} has no section or field ${target}` };
  if (parts.length > 1)
    return {
      broken: `${name} defines ${target} more than once: lines ${parts.map(({ line }) => line).join(", ")}`,
    };
  return { to: `${path}:${only.line}` };
}
