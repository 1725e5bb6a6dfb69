/** Reads the values of a line: splits lists, and reads free texts from files or stdin. */
import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { AppError } from "../lib/errors.ts";
import type { InputValue } from "../lib/command-line/input-values.ts";
import type { CommandLine } from "../lib/command-line/read-line.ts";

const mib = 1024 * 1024;
/** The maximum of one text, which may be the output of a compiler. */
const maxBytes = 8 * mib;
const stdinMs = 60_000;

/** Whether `-` means stdin (tools have none); `literal` if the texts were already read. */
export type TextSource = "stdin" | "no stdin" | "literal";

export async function valuesOf(
  { row, words, flags }: CommandLine,
  cwd: string,
  source: TextSource = "stdin",
): Promise<Readonly<Record<string, InputValue>>> {
  const values: Record<string, InputValue> = {};
  const read = textReader(cwd, source);
  for (const { name, takes } of row.inputs) {
    const given = words[name];
    if (takes.type === "flag") {
      if (flags.has(name)) values[name] = true;
      continue;
    }
    if (given === undefined) continue;
    if (takes.type === "words") values[name] = given;
    else if (takes.type === "list") {
      const texts: string[] = [];
      for (const one of given) texts.push(takes.of === "text" ? await read(one) : one);
      const items = texts.length > 1 ? texts : (texts[0] ?? "").split(takes.separator);
      values[name] = items.map((item) => item.trim()).filter((item) => item !== "");
    } else values[name] = takes.type === "text" ? await read(given[0] ?? "") : (given[0] ?? "");
  }
  if (Object.values(values).some((value) => typeof value === "string" && value.includes("\0")))
    throw usageError("a text contains a NUL byte");
  return values;
}

function textReader(cwd: string, source: TextSource): (given: string) => Promise<string> {
  let isStdinRead = false;
  return async (given) => {
    if (source === "literal") return given;
    if (given.startsWith("@@")) return given.slice(1);
    if (given.startsWith("@")) return fromFile(resolve(cwd, given.slice(1)), given);
    if (given !== "-") return given;
    if (source === "no stdin")
      throw usageError("a tool has no stdin for `-`", "pass the text itself, or @FILE");
    if (isStdinRead) throw usageError("only one text can come from stdin");
    isStdinRead = true;
    return fromStdin();
  };
}

async function fromFile(path: string, given: string): Promise<string> {
  const found = await stat(path).catch(() => null);
  if (found === null || !found.isFile())
    throw usageError(`${given} is not a file`, "write @@ for a text that begins with @");
  if (found.size > maxBytes) throw usageError(`${given} is larger than ${maxBytes / mib} MiB`);
  return decode(await readFile(path), given);
}

async function fromStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  const timer = setTimeout(
    () => process.stdin.destroy(usageError("stdin did not end within a minute")),
    stdinMs,
  );
  try {
    for await (const chunk of process.stdin) {
      const bytes = Buffer.from(chunk as Uint8Array);
      size += bytes.length;
      if (size > maxBytes) throw usageError(`stdin has more than ${maxBytes / mib} MiB`);
      chunks.push(bytes);
    }
  } finally {
    clearTimeout(timer);
  }
  return decode(Buffer.concat(chunks), "stdin");
}

function decode(bytes: Uint8Array, what: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw usageError(`${what} is not valid UTF-8`);
  }
}

function usageError(message: string, hint = "pass a text, @FILE or - for stdin"): AppError {
  return new AppError("usage", message, { hint });
}
