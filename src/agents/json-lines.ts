/** Reads the output of agents that print JSON lines, and separates the lines from other text. */
import type * as z from "zod";
import type { OutputLine } from "./stream.ts";
import type { TextBuffer } from "./text-buffer.ts";
import { parseJson } from "../lib/json.ts";

interface LineHandler<Value> {
  readonly schema: z.ZodType<Value>;
  readonly take: (line: Value) => void;
  /** Receives text that is not a line of the stream. */
  readonly output: TextBuffer;
}

export function jsonLines<Value>({ schema, take, output }: LineHandler<Value>): (line: OutputLine) => void {
  return ({ text, whole }) => {
    const line = whole ? readLine(schema, text) : null;
    if (line !== null) take(line);
    else if (!text.startsWith("{")) output.add(whole ? `${text}\n` : text);
  };
}

/** Null for a line that we do not need, or that is not JSON. */
function readLine<Value>(schema: z.ZodType<Value>, line: string): Value | null {
  if (!line.startsWith("{")) return null;
  const parsed = schema.safeParse(parseJson(line));
  return parsed.success ? parsed.data : null;
}

/** Characters kept of the arguments of a tool call. */
const maxDetail = 64_000;

export function clipDetail(text: string): string {
  return text.slice(0, maxDetail);
}

/** The arguments of a tool call as text. */
export function detailOf(input: unknown): string {
  return clipDetail(JSON.stringify(input ?? null));
}
