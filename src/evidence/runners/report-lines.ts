/** Reads the reports of Mettle's reporters: one JSON event per line, closed by `{"type":"end"}`. */
import { join } from "node:path";
import * as z from "zod";
import type { TestProblem } from "../test-result.ts";
import { reportValue } from "./report-json.ts";

const End = z.object({ type: z.literal("end") });

export interface Lines<Event> {
  readonly events: readonly Event[];
  /** False when the closing line is missing: the process ended before its tests did. */
  readonly ended: boolean;
}

/** Null when a line does not match the schema. */
export function readLines<Event>(text: string, schema: z.ZodType<Event>): Lines<Event> | null {
  const events: Event[] = [];
  let ended = false;
  for (const line of text.split("\n").slice(0, -1)) {
    const value = reportValue(line);
    const parsed = schema.safeParse(value);
    if (parsed.success) events.push(parsed.data);
    else if (End.safeParse(value).success) ended = true;
    else return null;
  }
  return { events, ended };
}

/** Requested files that a complete report does not mention. */
export function unmentioned(
  files: readonly string[],
  seen: { has(file: string): boolean },
): readonly TestProblem[] {
  return files
    .map((file) => join(".", file).split("\\").join("/"))
    .filter((file) => !seen.has(file))
    .map((file) => ({
      code: "tests_not_executed",
      file,
      message: "the report does not mention this test file",
    }));
}
