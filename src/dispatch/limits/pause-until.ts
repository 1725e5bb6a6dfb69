/** Until when an account pauses after a usage limit (CORE-77). Pure. */
import { resetIn, type Reset } from "../../agents/reset-time.ts";
import { durationText } from "../../config/durations.ts";

/** A pause of an account, as the other processes of this user read it; times in milliseconds since the epoch. */
export interface Pause {
  readonly account: string;
  readonly since: number;
  readonly until: number;
  readonly why: string;
  /** How many limits followed each other, each soon after the pause before it. */
  readonly times: number;
}

export interface ReachedLimit {
  readonly account: string;
  /** The provider's message. */
  readonly why: string;
  readonly resets?: Reset | undefined;
  /** When the turn that reached it began, and now. */
  readonly startedMs: number;
  readonly nowMs: number;
}

const minuteMs = 60_000;
/** The longest limits known are those of a week. A clock or a provider that says more is wrong. */
export const maxPauseMs = 8 * 24 * 60 * minuteMs;
const maxBackOffMs = 30 * minuteMs;
/** A limit within this time after a pause follows it. */
const soonMs = 10 * minuteMs;

/** @param before the account's last pause, if any */
export function pauseAfter(limit: ReachedLimit, before: Pause | null): Pause {
  const { account, startedMs, nowMs } = limit;
  // Agents that worked at the same time reach the same limit.
  const isSame = before !== null && before.since >= startedMs;
  const follows = before !== null && nowMs < before.until + soonMs;
  const times = isSame ? before.times : follows ? before.times + 1 : 1;
  const { until, why } = endOf(limit, times);
  if (!isSame) return { account, since: nowMs, until, why, times };
  return until > before.until ? { ...before, until, why } : before;
}

function endOf({ why, resets, nowMs }: ReachedLimit, times: number): Pick<Pause, "until" | "why"> {
  const reset = resets ?? resetIn(why, nowMs);
  const given = reset === null ? null : "at" in reset ? reset.at : nowMs + reset.inMs;
  // Without a time: 1 minute, then twice as long each time. A provider's time holds, unless it was too early twice.
  if (given === null || given <= nowMs) return { until: nowMs + backOffMs(times), why };
  const earliest = nowMs + (times > 2 ? backOffMs(times - 2) : 1);
  if (given - nowMs <= maxPauseMs) return { until: Math.max(given, earliest), why };
  const named = new Date(Math.min(given, latestDate)).toISOString();
  return {
    until: nowMs + maxPauseMs,
    why: `${why} (it ends at ${named}, which is too far away to be true: the next try is in ${durationText(maxPauseMs)})`,
  };
}

const latestDate = 8.64e15;

function backOffMs(times: number): number {
  return Math.min(maxBackOffMs, minuteMs * 2 ** Math.min(times - 1, 10));
}
