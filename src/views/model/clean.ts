/** Makes every text of a model, or of what is shown beside it, safe to show: without terminal sequences, control characters and marks that turn text around. Pure. */
import { stripControls } from "../../lib/text.ts";

/** Values that an answer is bound to, or that a command takes back, stay as they are. */
const exact: ReadonlySet<string> = new Set(["key", "hash", "acceptable"]);

/** Anything beyond letters, signs and line breaks that `stripControls` may remove; most texts have none of it. */
const risky =
  // eslint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/u;

export function cleaned<Value>(value: Value): Value {
  return clean(value) as Value;
}

function clean(value: unknown): unknown {
  if (typeof value === "string") return risky.test(value) ? stripControls(value) : value;
  if (Array.isArray(value)) return value.map(clean);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, exact.has(name) ? inner : clean(inner)]),
  );
}
