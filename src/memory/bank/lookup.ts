/** Resolves an address in the memory bank to a file, a field or a marked section. */
import { AppError } from "../../lib/errors.ts";
import {
  memoryNames,
  parseReferences,
  printMemoryAddress,
  readMemoryAddress,
  type MemoryAddress,
  type MemoryNumber,
} from "../../notation/memory-reference.ts";
import { partsNamed, partsOf } from "./document.ts";
import { memoryPath, readMemoryFile } from "./files.ts";

export interface BankEntry {
  /** The address in its normal form. */
  readonly address: string;
  readonly path: string;
  /** Line of the part; 1 for a file. */
  readonly line: number;
  readonly text: string;
  /** The references that were followed. */
  readonly via: readonly string[];
}

/** Follows a part that is only a reference. Throws `unknown_section` with the known addresses. */
export async function readAddress(root: string, address: MemoryAddress): Promise<BankEntry> {
  const via: string[] = [];
  const seen = new Set<string>();
  let wanted = address;
  for (;;) {
    const shown = await lookUp(root, wanted);
    const inner = wanted.target === null ? null : onlyReference(shown.text);
    if (inner === null) return { ...shown, via };
    seen.add(shown.address);
    via.push(inner);
    wanted = readMemoryAddress(inner);
    if (seen.has(printMemoryAddress(wanted))) throw cycleError([...seen, printMemoryAddress(wanted)]);
  }
}

async function lookUp(root: string, wanted: MemoryAddress): Promise<Omit<BankEntry, "via">> {
  const { memory, target } = wanted;
  const path = memoryPath(memory);
  const address = printMemoryAddress(wanted);
  const file = await readMemoryFile(root, path);
  if (file === null) throw await noFile(root, memory);
  if (target === null) return { address, path, line: 1, text: file.text };
  const parts = partsNamed(file.text, target);
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return { address, path, line: only.line, text: only.text };
  throw parts.length === 0 ? noPart(file.text, wanted) : severalParts(path, address, parts);
}

/** The reference, if the text is nothing else apart from a mark or label before it. */
function onlyReference(text: string): string | null {
  const [first, ...others] = parseReferences(text);
  if (first === undefined || others.length > 0) return null;
  const rest = text
    .replace(first.text, "")
    .replace(/^\s*(?:[-*+]|#{1,6}|\d+[.)])?\s*(?:\[[A-Z]+[0-9₀-₉]+\])?[\s:]*/u, "");
  return rest.trim() === "" ? first.text : null;
}

async function noFile(root: string, memory: MemoryNumber): Promise<AppError> {
  const numbers: readonly MemoryNumber[] = [1, 2, 3, 4, 5, 6];
  const there = await Promise.all(
    numbers.map(async (each) => ((await readMemoryFile(root, memoryPath(each))) ? [memoryNames[each]] : [])),
  );
  const candidates = there.flat();
  return new AppError(
    "unknown_section",
    `there is no ${memoryNames[memory]}: ${memoryPath(memory)} is missing`,
    {
      hint:
        candidates.length === 0
          ? "`mettle init --protocol dptr` creates a memory bank"
          : `there are ${candidates.join(", ")}`,
      detail: { candidates },
    },
  );
}

function noPart(text: string, { memory, target }: MemoryAddress): AppError {
  const candidates = [
    ...new Set(partsOf(text).map(({ name }) => printMemoryAddress({ memory, target: name }))),
  ];
  return new AppError(
    "unknown_section",
    `${memoryNames[memory]} has no section or field ${JSON.stringify(target)}`,
    {
      hint: candidates.length === 0 ? `${memoryPath(memory)} has none` : `there are ${candidates.join(", ")}`,
      detail: { candidates },
    },
  );
}

function severalParts(path: string, address: string, parts: readonly { readonly line: number }[]): AppError {
  const places = parts.map(({ line }) => `${path}:${line}`);
  return new AppError("unknown_section", `${address} is defined more than once: ${places.join(", ")}`, {
    hint: "keep one of them",
    detail: { candidates: places },
  });
}

function cycleError(addresses: readonly string[]): AppError {
  return new AppError("unknown_section", `references form a cycle: ${addresses.join(" → ")}`, {
    hint: "replace one of them by a text",
  });
}
