import { cleanLine } from "./text.ts";

/** Words of an agent or a person, as they may be printed: whole, but without control of the terminal. */
export function safeText(text: string): string {
  return text.split("\n").map(cleanLine).join("\n").trimEnd();
}

/** On one line. */
export function safeLine(text: string): string {
  return safeText(text).replaceAll(/\s+/g, " ").trim();
}

/** `a, b and c`. */
export function enumerated(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1) ?? ""}`;
}
