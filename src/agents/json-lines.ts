/** What agents that speak in lines of JSON have in common: reading one, and telling one from words beside them. */
import type { z } from "zod";
import type { Line } from "./stream.ts";
import type { TextBuffer } from "./text-buffer.ts";

interface LineHandler<Value> {
  readonly schema: z.ZodType<Value>;
  readonly take: (line: Value) => void;
  /** Words that are no line of the stream. */
  readonly said: TextBuffer;
}

export function jsonLines<Value>({ schema, take, said }: LineHandler<Value>): (line: Line) => void {
  return ({ text, whole }) => {
    const line = whole ? readLine(schema, text) : null;
    if (line !== null) take(line);
    else if (!text.startsWith("{")) said.add(whole ? `${text}\n` : text);
  };
}

/** Null for a line that says nothing we need, or is no JSON. */
function readLine<Value>(schema: z.ZodType<Value>, line: string): Value | null {
  if (!line.startsWith("{")) return null;
  try {
    const parsed = schema.safeParse(JSON.parse(line));
    return parsed.success ? parsed.data : null;
  } catch {
    return null; // a line cut off, or words on standard output
  }
}

/** Of a tool call; more of it tells nobody anything. */
const maxDetail = 64_000;

export function clipDetail(text: string): string {
  return text.slice(0, maxDetail);
}

/** The arguments of a tool call as text. */
export function detailOf(input: unknown): string {
  return clipDetail(JSON.stringify(input ?? null));
}
