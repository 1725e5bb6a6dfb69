/** Renders the EXECUTION_BLOCK of an evidence record from the record only, and parses such a block. Pure. */
import { columnsOf } from "../../lib/columns.ts";
import { cleanLine, clipLine } from "../../lib/text.ts";
import type { EvidenceRecord } from "../../evidence/record.ts";
import { shellWords } from "../shell-words.ts";
import { exitText } from "../exit-text.ts";

/** Columns between the bars, as in the protocol. */
const width = 45;
const title = "EXECUTION_BLOCK";
const minLines = 10;
const maxLineBytes = 4096;

export interface BlockOptions {
  /** Number of output lines to show, at least 10. */
  readonly lines?: number;
  /** The same for inner blocks; default `lines`. */
  readonly innerLines?: number;
  /** The records named by `record.inner`; each is shown as an inner block. */
  readonly inner?: readonly EvidenceRecord[];
}

export function renderExecutionBlock(record: EvidenceRecord, options: BlockOptions = {}): string {
  return block(record, options, width).join("\n");
}

/** The content of a block, without trailing blanks. */
export interface ParsedBlock {
  readonly command: string;
  readonly lines: readonly string[];
  /** The text after `EXIT_CODE: `. */
  readonly exit: string;
  /** `YYYY-MM-DD HH:MM:SS` */
  readonly timestamp: string;
  readonly inner: readonly ParsedBlock[];
}

/** The first complete block of a text, or null. */
export function parseExecutionBlock(text: string): ParsedBlock | null {
  const lines = text.split("\n");
  const start = lines.findIndex((line) => /^┌─+┐$/.test(line));
  const end = lines.findIndex((line, index) => index > start && /^└─+┘$/.test(line));
  return start < 0 || end < 0 ? null : readBlock(lines.slice(start + 1, end));
}

/** Whether a text contains this block, including the frame of older versions with a bar after wide lines. */
export function containsBlock(text: string, rendered: string): boolean {
  return withoutRightBars(text).includes(withoutRightBars(rendered));
}

function withoutRightBars(text: string): string {
  return text.replaceAll(/[ │]+$/gmu, "");
}

function block(record: EvidenceRecord, options: BlockOptions, columns: number): readonly string[] {
  const { lines = minLines, innerLines = lines, inner = [] } = options;
  const contained = inner.filter(({ id }) => record.inner.includes(id));
  const body = [
    `$ ${cleanLine(commandText(record))}`,
    ...contained.flatMap((one) => block(one, { ...options, lines: innerLines }, columns - 3)),
    ...record.lastLines.slice(-Math.max(minLines, lines)).map(printableLine),
    `EXIT_CODE: ${exitText(record)}`,
    `[TIMESTAMP: ${localTime(record.ended, record.offsetMinutes)}]`,
  ];
  const bar = "─".repeat(columns);
  return [
    `┌${bar}┐`,
    frameLine(title, columns),
    `├${bar}┤`,
    ...body.map((line) => frameLine(line, columns)),
    `└${bar}┘`,
  ];
}

/** The command with paths relative to the folder where it ran. */
export function commandText({ title, argv, cwd }: Pick<EvidenceRecord, "title" | "argv" | "cwd">): string {
  return (
    title ?? shellWords(argv.map((word) => (word.startsWith(`${cwd}/`) ? word.slice(cwd.length + 1) : word)))
  );
}

/** Frames a line. A wider line extends beyond the frame without a bar; if its text ends with a bar, that is doubled. */
function frameLine(line: string, columns: number): string {
  const text = line.trimEnd();
  const missing = columns - 1 - columnsOf(text);
  if (missing < 0) return `│ ${text}${text.endsWith("│") ? "│" : ""}`;
  return `│ ${text}${" ".repeat(missing)}│`;
}

/** Cleans a line, and clips it after 4 KiB with its original length. */
function printableLine(line: string): string {
  return clipLine(cleanLine(line), maxLineBytes);
}

function localTime(utc: string, offsetMinutes: number): string {
  return new Date(Date.parse(utc) + offsetMinutes * 60_000).toISOString().slice(0, 19).replace("T", " ");
}

function readBlock(framedLines: readonly string[]): ParsedBlock | null {
  const [name, , command, ...rest] = framedLines.map(stripFrame);
  const exit = /^EXIT_CODE: (.+)$/.exec(rest.at(-2) ?? "")?.[1];
  const timestamp = /^\[TIMESTAMP: (.+)\]$/.exec(rest.at(-1) ?? "")?.[1];
  if (name !== title || command?.startsWith("$ ") !== true || exit === undefined || timestamp === undefined)
    return null;
  const { inner, lines } = innerBlocks(rest.slice(0, -2));
  return { command: command.slice(2), lines, exit, timestamp, inner };
}

/** Inner blocks come before the block's own output. */
function innerBlocks(lines: readonly string[]): {
  readonly inner: readonly ParsedBlock[];
  readonly lines: readonly string[];
} {
  const end = lines[0]?.startsWith("┌─") === true ? lines.findIndex((line) => line.startsWith("└─")) : -1;
  const first = end < 0 ? null : readBlock(lines.slice(1, end));
  if (first === null) return { inner: [], lines };
  const others = innerBlocks(lines.slice(end + 1));
  return { inner: [first, ...others.inner], lines: others.lines };
}

function stripFrame(line: string): string {
  return line.replace(/^│ /, "").replace(/│$/, "").trimEnd();
}
