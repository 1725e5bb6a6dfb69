/** Parses a piece of a report as JSON without ANSI colours; null where it is not JSON. */
export function reportValue(text: string): unknown {
  try {
    return JSON.parse(text, (_key, value: unknown) =>
      typeof value === "string" ? withoutColours(value) : value,
    );
  } catch {
    return null; // the schemas refuse null
  }
}

export function withoutColours(text: string): string {
  // eslint-disable-next-line no-control-regex
  return text.includes("\u001b") ? text.replace(/\u001b\[[0-9;:]*m/g, "") : text;
}
