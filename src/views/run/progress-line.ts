import { countText } from "../count-text.ts";
import { safeLine } from "../../lib/safe-text.ts";

/** One line about the current activity of a run. */
export interface ProgressState {
  readonly phase: string;
  /** Role and agent: `coder (claude)`; null while the runtime itself works. */
  readonly agent: string | null;
  readonly round: number;
  readonly attempt: { readonly value: number; readonly limit: number | null } | null;
  readonly elapsedMs: number;
  /** The newest record in short: `green: exit 1, 2 failing`. */
  readonly lastEvidence: string | null;
}

/** @param width columns of the terminal, if any; a longer line ends with `…` */
export function progressLine(progress: ProgressState, width?: number): string {
  const { phase, agent, round, attempt, elapsedMs, lastEvidence } = progress;
  const parts = [
    `Phase${phase.trim().replaceAll(/\s+/g, "_")}`,
    agent ?? "mettle",
    `round ${String(round)}`,
    ...(attempt === null ? [] : [`attempt ${countText(attempt)}`]),
    elapsedText(elapsedMs),
    lastEvidence === null ? "nothing proven yet" : `last: ${lastEvidence}`,
  ];
  const line = safeLine(parts.join(" · "));
  const letters = [...line];
  return width !== undefined && letters.length > width
    ? `${letters.slice(0, Math.max(0, width - 1)).join("")}…`
    : line;
}

/** `45s`, `3m 05s`, `2h 04m`. */
export function elapsedText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (hours > 0) return `${String(hours)}h ${two(minutes % 60)}m`;
  return minutes > 0 ? `${String(minutes)}m ${two(seconds % 60)}s` : `${String(seconds)}s`;
}

function two(number: number): string {
  return String(number).padStart(2, "0");
}
