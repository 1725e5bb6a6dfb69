/** An event whose names are on one line each: a line break in the name of a file or a test forges no line of a log. Pure. */
import type { Recorded } from "../../log/run-event.ts";
import { onOneLine } from "../../lib/printed.ts";

/** Words that may have several lines: those of agents, of people, and what a person is asked. */
const texts: ReadonlySet<string> = new Set([
  "message",
  "text",
  "why",
  "reason",
  "excerpt",
  "summary",
  "task",
  "line",
]);

export function flat<Event extends Recorded>(event: Event): Event {
  // Only texts change, and each stays a text.
  return flatten(event) as Event;
}

function flatten(value: unknown, name = ""): unknown {
  if (typeof value === "string") return texts.has(name) ? value : onOneLine(value);
  if (Array.isArray(value)) return value.map((item) => flatten(item, name));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [onOneLine(key), flatten(inner, key)]),
  );
}
