/** Makes every text of a model, or of what is shown beside it, safe to show: without terminal sequences, control characters and marks that turn text around. Pure. */
import { stripControls } from "../../lib/text.ts";

/** Values that an answer is bound to, or that a command takes back, stay as they are. */
const exact: ReadonlySet<string> = new Set(["key", "hash", "acceptable"]);

export function cleaned<Value>(value: Value): Value {
  return clean(value) as Value;
}

function clean(value: unknown): unknown {
  if (typeof value === "string") return stripControls(value);
  if (Array.isArray(value)) return value.map(clean);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, exact.has(name) ? inner : clean(inner)]),
  );
}
