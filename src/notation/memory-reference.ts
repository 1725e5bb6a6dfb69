/** Names of memory files (σ₁ to σ₆), addresses within them, and references between them. Pure. */
import { fencesOf } from "../lib/markdown.ts";
import { AppError } from "../lib/errors.ts";
import { lookAlike, quoted, spelled } from "./spelling.ts";

/** n of σₙ. */
export type MemoryNumber = 1 | 2 | 3 | 4 | 5 | 6;

export interface MemoryAddress {
  readonly memory: MemoryNumber;
  /** `R1` of `[R1]`, or the name of a field; null: the whole file. */
  readonly target: string | null;
}

/** `[↗️σ₂:R1]` in a text. Broken references are included, so that they can be reported. */
export interface Reference {
  /** Null: no memory file has this name. */
  readonly memory: MemoryNumber | null;
  /** Empty: none. */
  readonly target: string;
  /** As written. */
  readonly text: string;
  /** Counted from 1, columns in UTF-16 units. */
  readonly at: { readonly line: number; readonly column: number };
}

export const memoryNames: Readonly<Record<MemoryNumber, string>> = {
  1: "σ₁",
  2: "σ₂",
  3: "σ₃",
  4: "σ₄",
  5: "σ₅",
  6: "σ₆",
};

const numbers = [1, 2, 3, 4, 5, 6] as const;
const spellings = new Map<string, MemoryNumber>(
  numbers.flatMap((number) => [
    [memoryNames[number], number],
    [`s${number}`, number],
  ]),
);

/** Reads σ₁ to σ₆, or s1 to s6. @throws unknown_memory */
export function readMemoryName(text: string): MemoryNumber {
  const number = spellings.get(text);
  if (number === undefined) throw unknownMemory(text);
  return number;
}

/** Reads `σ₂`, `σ₂.tech_stack`, `s1:R1`, or a whole reference `[↗️σ₁:R1]`. @throws unknown_memory, bad_reference */
export function readMemoryAddress(text: string): MemoryAddress {
  const reference = whole.exec(text);
  const inner = reference?.[1] ?? text;
  const mark = inner.search(/[.:]/u);
  const memory = readMemoryName(mark === -1 ? inner : inner.slice(0, mark));
  if (mark === -1 && !reference) return { memory, target: null };
  const target = targetOf(mark === -1 ? "" : inner.slice(mark + 1));
  if (!isTarget(target)) throw badAddress(text);
  return { memory, target };
}

/** Prints `σ₂.tech_stack`, or `σ₁:R1` for a mark. */
export function printMemoryAddress({ memory, target }: MemoryAddress): string {
  const name = memoryNames[memory];
  if (target === null) return name;
  return `${name}${isMark(target) ? ":" : "."}${target}`;
}

/** All references of a Markdown text, in order. References in code are examples and do not count. */
export function parseReferences(text: string): readonly Reference[] {
  const found: Reference[] = [];
  let line = 1;
  let lineStart = 0;
  for (const match of withoutCode(text).matchAll(references)) {
    for (let next = text.indexOf("\n", lineStart); next !== -1 && next < match.index;) {
      line += 1;
      lineStart = next + 1;
      next = text.indexOf("\n", lineStart);
    }
    const [written, name = "", target = ""] = match;
    found.push({
      memory: spellings.get(name.trim()) ?? null,
      target: targetOf(target.trim()),
      text: written,
      at: { line, column: match.index - lineStart + 1 },
    });
  }
  return found;
}

/** The arrow with or without the emoji variation selector, or `->`. */
const arrow = String.raw`(?:\u2197\ufe0f?|->)`;
const whole = new RegExp(String.raw`^\[${arrow} ?([^\]\n]*)\]$`, "u");
/** After `->`, which is also ordinary text, the name of a memory file must follow. Bounded, so that time is linear in the length. */
const references = new RegExp(
  String.raw`\[(?:\u2197\ufe0f?|->(?= ?[s\u03c3]\S?[:.\]])) ?([^\]\n:.]{0,40})(?:[:.]([^\]\n]{0,200}))?\]`,
  "gu",
);

/** `R₁` becomes `R1`. */
function targetOf(text: string): string {
  return text.replace(/^R[₀-₉]+$/u, (mark) => mark.normalize("NFKC"));
}

function isMark(target: string): boolean {
  return /^R\d+$/u.test(target);
}

/** A mark or the name of a field, such as `R1`, `tech_stack` or `Tech Stack`. */
function isTarget(target: string): boolean {
  return (
    target === target.trim() && target !== "" && target === targetOf(target) && !/[[\]\n\r]/u.test(target)
  );
}

/** Replaces code fences and code spans by spaces, so that positions stay the same. */
function withoutCode(text: string): string {
  const blank = (code: string) => code.replace(/[^\n]/gu, (char) => " ".repeat(char.length));
  const lines = text.split("\n");
  const fences = fencesOf(lines);
  return lines
    .map((line, index) => (fences[index]?.role === null ? line : blank(line)))
    .join("\n")
    .replace(/(?<!`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)/gu, blank);
}

function unknownMemory(text: string): AppError {
  const meant = lookAlike(text, spellings.keys());
  const listed = numbers.map((number) => `${memoryNames[number]} (s${number})`).join(", ");
  return new AppError("unknown_memory", `${quoted(text)} is not a file of the memory bank`, {
    hint: meant === null ? `known: ${listed}` : `write ${spelled(meant)}`,
    detail: { known: Object.values(memoryNames), meant },
  });
}

function badAddress(text: string): AppError {
  return new AppError("bad_reference", `${quoted(text)} is not an address in a memory file`, {
    hint: "Write σ₂ for a file, σ₂.tech_stack for a field, [↗️σ₂:R1] for what is marked [R1].",
  });
}
