/** Usage limits for which a run waits, as people read them (CORE-77, SEE-11). Pure. */
import type { EventOf } from "../../log/run-event.ts";
import type { RunView } from "../../log/run-view.ts";
import { withLabel } from "../../lib/with-label.ts";
import { elapsedText } from "./progress-line.ts";

export interface LimitJson {
  readonly account: string;
  /** Time in ISO 8601. */
  readonly until: string;
  readonly why: string;
}

/** Accounts whose agents wait, the first to go on first. */
export function limitsOf({ paused }: Pick<RunView, "paused">): readonly LimitJson[] {
  return Object.values(paused)
    .map(({ account, until, why }) => ({ account, until, why }))
    .toSorted((one, other) => one.until.localeCompare(other.until));
}

/** `the usage limit of claude is reached, its agents go on by themselves at 2026-11-30 17:04:05 UTC`. */
export function limitText({ account, until }: Pick<LimitJson, "account" | "until">): string {
  return `the usage limit of ${account} is reached, its agents go on by themselves at ${timeText(until)}`;
}

export function pausedText(event: EventOf<"account.paused">): string {
  return withLabel(limitText(event), event.why);
}

/** The countdown of a status line: `usage limit of claude: goes on in 12m 05s`; null if the run waits for no limit. */
export function countdownText(view: Pick<RunView, "paused">, nowMs: number): string | null {
  const open = limitsOf(view).filter(({ until }) => Date.parse(until) > nowMs);
  const parts = open.map(({ account, until }) => {
    const left = Math.ceil((Date.parse(until) - nowMs) / 1000) * 1000;
    return `usage limit of ${account}: goes on in ${elapsedText(left)}`;
  });
  return parts.length === 0 ? null : parts.join(" · ");
}

/** `2026-11-30 17:04:05 UTC`. */
export function timeText(at: string): string {
  return `${at.slice(0, 19).replace("T", " ")} UTC`;
}
