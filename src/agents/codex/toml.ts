/** Writes settings as TOML, one setting per line: nested tables are written inline. */
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

/** A JSON string is a TOML string, except for U+007F, which JSON does not escape. */
function quoted(text: string): string {
  return JSON.stringify(text).replaceAll("\u007f", "\\u007f");
}
