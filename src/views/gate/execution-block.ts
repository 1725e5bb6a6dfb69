/** Renders the EXECUTION_BLOCK of an evidence record, and reads such a block back. From records and nothing else. Pure. */
import { columnsOf } from "../../lib/columns.ts";
import { cleanLine, clipLine } from "../../lib/text.ts";
import type { EvidenceRecord } from "../../evidence/record.ts";
import { shellWords } from "../shell-words.ts";
import { exitText } from "../exit-text.ts";

/** Columns between the bars, as the protocol draws it. */
const width = 45;
const title = "EXECUTION_BLOCK";
const fewest = 10;
const longest = 4096;

export interface BlockOptions {
  /** Lines of output to show, never fewer than 10; all where there are fewer. */
  readonly lines?: number;
  /** The same for the blocks within it; as many as `lines` where it is not said. */
  readonly innerLines?: number;
  /** The records that `record.inner` names: each is shown as a block within this one. */
  readonly inner?: readonly EvidenceRecord[];
}

export function renderExecutionBlock(record: EvidenceRecord, options: BlockOptions = {}): string {
  return block(record, options, width).join("\n");
}

/** What a block says. Blanks at the end of a line are not kept. */
export interface ReadBlock {
  readonly command: string;
  readonly lines: readonly string[];
  /** What stands after `EXIT_CODE: `. */
  readonly exit: string;
  /** `YYYY-MM-DD HH:MM:SS` */
  readonly timestamp: string;
  readonly inner: readonly ReadBlock[];
}

/** The first block of a text, or null when there is none that is whole. */
export function parseExecutionBlock(text: string): ReadBlock | null {
  const lines = text.split("\n");
  const start = lines.findIndex((line) => /^┌─+┐$/.test(line));
  const end = lines.findIndex((line, index) => index > start && /^└─+┘$/.test(line));
  return start < 0 || end < 0 ? null : readBlock(lines.slice(start + 1, end));
}

/** Whether a text holds this block, also as an older version drew its frame: with a bar behind each line that is wider. */
export function holdsBlock(text: string, rendered: string): boolean {
  return withoutRightBars(text).includes(withoutRightBars(rendered));
}

function withoutRightBars(text: string): string {
  return text.replaceAll(/[ │]+$/gmu, "");
}

function block(record: EvidenceRecord, options: BlockOptions, columns: number): readonly string[] {
  const { lines = fewest, innerLines = lines, inner = [] } = options;
  const contained = inner.filter(({ id }) => record.inner.includes(id));
  const body = [
    `$ ${cleanLine(commandText(record))}`,
    ...contained.flatMap((one) => block(one, { ...options, lines: innerLines }, columns - 3)),
    ...record.lastLines.slice(-Math.max(fewest, lines)).map(shown),
    `EXIT_CODE: ${exitText(record)}`,
    `[TIMESTAMP: ${localTime(record.ended, record.offsetMinutes)}]`,
  ];
  const bar = "─".repeat(columns);
  return [
    `┌${bar}┐`,
    framed(title, columns),
    `├${bar}┤`,
    ...body.map((line) => framed(line, columns)),
    `└${bar}┘`,
  ];
}

/** The command as it may be typed in the folder where it ran: what lies below that folder is named from there. */
export function commandText({ title, argv, cwd }: Pick<EvidenceRecord, "title" | "argv" | "cwd">): string {
  return (
    title ?? shellWords(argv.map((word) => (word.startsWith(`${cwd}/`) ? word.slice(cwd.length + 1) : word)))
  );
}

/** A line wider than the frame keeps its text beyond it, where no bar can stand; one that ends with a bar is told apart by it. */
function framed(line: string, columns: number): string {
  const text = line.trimEnd();
  const missing = columns - 1 - columnsOf(text);
  if (missing < 0) return `│ ${text}${text.endsWith("│") ? "│" : ""}`;
  return `│ ${text}${" ".repeat(missing)}│`;
}

/** Cleaned, and cut after 4 KiB with its true length. */
function shown(line: string): string {
  return clipLine(cleanLine(line), longest);
}

function localTime(utc: string, offsetMinutes: number): string {
  return new Date(Date.parse(utc) + offsetMinutes * 60_000).toISOString().slice(0, 19).replace("T", " ");
}

function readBlock(framedLines: readonly string[]): ReadBlock | null {
  const [name, , command, ...rest] = framedLines.map(unframed);
  const exit = /^EXIT_CODE: (.+)$/.exec(rest.at(-2) ?? "")?.[1];
  const timestamp = /^\[TIMESTAMP: (.+)\]$/.exec(rest.at(-1) ?? "")?.[1];
  if (name !== title || command?.startsWith("$ ") !== true || exit === undefined || timestamp === undefined)
    return null;
  const { inner, lines } = innerBlocks(rest.slice(0, -2));
  return { command: command.slice(2), lines, exit, timestamp, inner };
}

/** Blocks within a block stand before its own output. */
function innerBlocks(lines: readonly string[]): {
  readonly inner: readonly ReadBlock[];
  readonly lines: readonly string[];
} {
  const end = lines[0]?.startsWith("┌─") === true ? lines.findIndex((line) => line.startsWith("└─")) : -1;
  const first = end < 0 ? null : readBlock(lines.slice(1, end));
  if (first === null) return { inner: [], lines };
  const others = innerBlocks(lines.slice(end + 1));
  return { inner: [first, ...others.inner], lines: others.lines };
}

function unframed(line: string): string {
  return line.replace(/^│ /, "").replace(/│$/, "").trimEnd();
}
