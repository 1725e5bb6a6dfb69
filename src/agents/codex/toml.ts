/** Writes settings as TOML: a table inside another is written inline, so that one line holds one setting. */
export type Toml = string | number | boolean | readonly Toml[] | { readonly [key: string]: Toml };

export function tomlOf(settings: Readonly<Record<string, Toml>>): string {
  return Object.entries(settings)
    .map(([key, value]) => `${keyOf(key)} = ${valueOf(value)}\n`)
    .join("");
}

function valueOf(value: Toml): string {
  if (typeof value === "string") return quoted(value);
  if (typeof value !== "object") return String(value);
  if (isList(value)) return `[${value.map(valueOf).join(", ")}]`;
  const pairs = Object.entries(value).map(([key, inner]) => `${keyOf(key)} = ${valueOf(inner)}`);
  return `{ ${pairs.join(", ")} }`;
}

function isList(value: Toml): value is readonly Toml[] {
  return Array.isArray(value);
}

function keyOf(key: string): string {
  return /^[A-Za-z0-9_-]+$/u.test(key) ? key : quoted(key);
}

/** A string of JSON is one of TOML too, but for the one control character that JSON lets stand. */
function quoted(text: string): string {
  return JSON.stringify(text).replaceAll("\u007f", "\\u007f");
}
