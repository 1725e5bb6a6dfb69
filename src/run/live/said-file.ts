/**
 * What an agent says and does while it works, in a file of the run's state home: every process of this user can show it, whichever
 * drives the run. Evidence is only what the journal has; the file is bounded, and removed when the dispatch is settled.
 */
import { createHash } from "node:crypto";
import { appendFile, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as z from "zod";
import type { StateHome } from "../../config/home.ts";
import { parseJson } from "../../lib/json.ts";
import type { SaidModel } from "../../views/model/said-model.ts";
import { saidWindow, type Said } from "./said-window.ts";

/** How long something waits to be written together with what follows. */
const waitMs = 250;
/** Characters of the file; then it is written again with the newest part. */
const maxFile = 256 << 10;
const keptOfFile = 96 << 10;

/** The folder of a run's files. */
export function saidFolder({ root }: Pick<StateHome, "root">, run: string): string {
  return join(root, "said", run);
}

/** @param key of the dispatch */
export function saidFile(home: Pick<StateHome, "root">, run: string, key: string): string {
  return join(saidFolder(home, run), `${createHash("sha256").update(key).digest("hex").slice(0, 24)}.jsonl`);
}

export interface SaidWriter {
  add(said: Said): void;
  /** Writes the rest. */
  close(): Promise<void>;
}

/** Begins the file anew. A file that cannot be written is given up: it is only for people who look. */
export function writeSaid(file: string, secrets: readonly string[]): SaidWriter {
  const window = saidWindow(secrets);
  let newest: string[] = [];
  let size = 0;
  let count = 0;
  let timer: NodeJS.Timeout | null = null;
  let isGivenUp = false;
  let writing: Promise<void> = begin(file).catch(() => void (isGivenUp = true));

  const write = async (isLast: boolean): Promise<void> => {
    const left = window.takeLeft();
    const lines = window.take(isLast).map((said, index) => {
      count += 1;
      const entry: SaidModel = { n: count, ...said, ...(index === 0 && left > 0 ? { left } : {}) };
      return `${JSON.stringify(entry)}\n`;
    });
    if (lines.length === 0) return;
    newest = newestOf([...newest, ...lines]);
    size += lengthOf(lines);
    if (size <= maxFile) return appendFile(file, lines.join(""), { mode: 0o600 });
    size = lengthOf(newest);
    await writeFile(`${file}.new`, newest.join(""), { mode: 0o600 });
    await rename(`${file}.new`, file);
  };
  const next = (isLast: boolean): Promise<void> => {
    timer = null;
    writing = writing
      .then(() => (isGivenUp ? undefined : write(isLast)))
      .catch(() => void (isGivenUp = true));
    return writing;
  };
  return {
    add(said) {
      if (isGivenUp) return;
      window.add(said);
      timer ??= setTimeout(() => void next(false), waitMs).unref();
    },
    close() {
      if (timer !== null) clearTimeout(timer);
      return next(true);
    },
  };
}

async function begin(file: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(file, "", { mode: 0o600 });
}

function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, { length }) => sum + length, 0);
}

/** The last lines that fit. */
function newestOf(lines: readonly string[]): string[] {
  let length = 0;
  const first = lines.findLastIndex((line) => (length += line.length) > keptOfFile);
  return lines.slice(first + 1);
}

export async function removeSaid(file: string): Promise<void> {
  await rm(file, { force: true }).catch(() => undefined); // `mettle clean` tries again
}

const Entry: z.ZodType<SaidModel> = z.object({
  n: z.int().min(1),
  kind: z.enum(["says", "prints", "uses", "denied", "retries", "reports"]),
  text: z.string(),
  left: z.int().optional(),
}) as z.ZodType<SaidModel>;

/** @returns all that the file has, oldest first; null if there is none */
export async function readSaid(file: string): Promise<readonly SaidModel[] | null> {
  const text = await readFile(file, "utf8").catch(() => null); // not begun, or settled
  if (text === null) return null;
  return text.split("\n").flatMap((line) => {
    // The last line may be half written.
    const entry = Entry.safeParse(parseJson(line));
    return entry.success ? [entry.data] : [];
  });
}
