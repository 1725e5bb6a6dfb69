import { cleanLine } from "./text.ts";

/** Text of an agent or a person, safe to print: complete, without control sequences. */
export function safeText(text: string): string {
  return text.split("\n").map(cleanLine).join("\n").trimEnd();
}

/** The same on one line. */
export function safeLine(text: string): string {
  return safeText(text).replaceAll(/\s+/g, " ").trim();
}

/** `a, b and c`. */
export function joinWithAnd(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1) ?? ""}`;
}
