/** Puts names in an event on one line, so that a line break in a file or test name cannot forge a log line. Pure. */
import type { Recorded } from "../../log/run-event.ts";
import { onOneLine } from "../../lib/printable.ts";

/** Fields that may have several lines: texts of agents and people, and questions. */
const multilineFields: ReadonlySet<string> = new Set([
  "message",
  "text",
  "why",
  "reason",
  "excerpt",
  "summary",
  "task",
  "line",
]);

export function singleLineNames<Event extends Recorded>(event: Event): Event {
  // Only strings change, and they stay strings.
  return toSingleLines(event) as Event;
}

function toSingleLines(value: unknown, name = ""): unknown {
  if (typeof value === "string") return multilineFields.has(name) ? value : onOneLine(value);
  if (Array.isArray(value)) return value.map((item) => toSingleLines(item, name));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [onOneLine(key), toSingleLines(inner, key)]),
  );
}
