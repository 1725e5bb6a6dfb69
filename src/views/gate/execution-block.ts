/** Renders the EXECUTION_BLOCK of an evidence record from the record only. Pure. */
import { columnsOf, splitColumns } from "../../lib/columns.ts";
import { cleanLine, clipLine } from "../../lib/text.ts";
import type { EvidenceRecord } from "../../evidence/record.ts";
import { shellWords } from "../shell-words.ts";
import { exitText } from "../exit-text.ts";

/** Columns between the bars, as in the protocol. */
const width = 45;
export const title = "EXECUTION_BLOCK";
/** Begins the next row of a line. */
export const goesOn = "↪ ";
const minLines = 10;
const maxLineBytes = 4096;

export interface BlockOptions {
  /** Columns of the frame with its bars, at least 40; default 80. */
  readonly columns?: number;
  /** Number of output lines to show, at least 10. */
  readonly lines?: number;
  /** The same for inner blocks; default `lines`. */
  readonly innerLines?: number;
  /** The records named by `record.inner`; each is shown as an inner block. */
  readonly inner?: readonly EvidenceRecord[];
}

export function renderExecutionBlock(record: EvidenceRecord, options: BlockOptions = {}): string {
  return drawFrame(bodyOf(record, options, 0), options.columns ?? 80);
}

/**
 * As wide as its lines, from the seed's 45 columns between the bars up to the given width; longer lines are wrapped (SEE-02).
 * @param most columns with the bars, at least 40
 */
export function drawFrame(body: readonly BodyLine[], most: number): string {
  const needed = Math.max(...body.map(({ depth, text }) => 2 * depth + columnsOf(text) + 1));
  const columns = Math.max(Math.min(width, most - 2), Math.min(needed, most - 2));
  const bar = "─".repeat(columns);
  const [first = "", ...rows] = body
    .flatMap((line) => rowsOf(line, columns - 1))
    .map((row) => framed(row, columns));
  return [`┌${bar}┐`, first, `├${bar}┤`, ...rows, `└${bar}┘`].join("\n");
}

/** Whether a text contains this block, in whatever frame a version of Mettle drew it. Only the frame may differ. */
export function containsBlock(text: string, rendered: string): boolean {
  return withoutFrame(text).includes(withoutFrame(rendered));
}

/** The lines without bars, borders and indentation, and with their rows joined. */
function withoutFrame(text: string): string {
  return text
    .replaceAll(/^[ │]+|[ │]+$/gmu, "")
    .replaceAll(/^[┌├└]─{30,}[┐┤┘]$\n?/gmu, "")
    .replaceAll(/\n↪ /gu, "")
    .replaceAll(/^↪↪/gmu, "↪");
}

/** A line of a block, indented by the number of blocks around its own. */
export interface BodyLine {
  readonly depth: number;
  readonly text: string;
}

function bodyOf(record: EvidenceRecord, options: BlockOptions, depth: number): readonly BodyLine[] {
  const { lines = minLines, innerLines = lines, inner = [] } = options;
  const contained = inner.filter(({ id }) => record.inner.includes(id));
  const at = (text: string): BodyLine => ({ depth, text });
  return [
    at(title),
    at(`$ ${cleanLine(commandText(record))}`),
    ...contained.flatMap((one) => bodyOf(one, { ...options, lines: innerLines }, depth + 1)),
    ...record.lastLines.slice(-Math.max(minLines, lines)).map((line) => at(printableLine(line))),
    at(`EXIT_CODE: ${exitText(record)}`),
    at(`[TIMESTAMP: ${localTime(record.ended, record.offsetMinutes)}]`),
  ];
}

/** The command with paths relative to the folder where it ran. */
export function commandText({ title, argv, cwd }: Pick<EvidenceRecord, "title" | "argv" | "cwd">): string {
  return (
    title ?? shellWords(argv.map((word) => (word.startsWith(`${cwd}/`) ? word.slice(cwd.length + 1) : word)))
  );
}

/** The rows of a line: a longer one goes on after `↪`, and a line that begins with this sign has it twice. */
function rowsOf({ depth, text }: BodyLine, room: number): readonly string[] {
  const indent = "  ".repeat(depth);
  const [first = "", ...more] = splitColumns(text.trimEnd().replace(/^↪/u, "↪↪"), {
    first: room - indent.length,
    next: room - indent.length - goesOn.length,
  });
  return [`${indent}${first}`, ...more.map((part) => `${indent}${goesOn}${part}`)];
}

function framed(row: string, columns: number): string {
  return `│ ${row}${" ".repeat(Math.max(0, columns - 1 - columnsOf(row)))}│`;
}

/** Cleans a line, and clips it after 4 KiB with its original length. */
function printableLine(line: string): string {
  return clipLine(cleanLine(line), maxLineBytes);
}

function localTime(utc: string, offsetMinutes: number): string {
  return new Date(Date.parse(utc) + offsetMinutes * 60_000).toISOString().slice(0, 19).replace("T", " ");
}
