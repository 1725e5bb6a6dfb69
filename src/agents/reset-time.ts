/**
 * When a usage limit ends, from the words of the provider's own message. Only for the message of an event that reports a
 * limit, never for what an agent wrote (CORE-77). Pure.
 */
import { milliseconds } from "../config/durations.ts";

/** A point in time in milliseconds since the epoch, or a wait from now. */
export type Reset = { readonly at: number } | { readonly inMs: number };

/**
 * Forms of Claude Code (`…|1749924000`, `resets 3pm (UTC)`), Codex (`try again at Dec 29th, 2026 10:15 PM`, `in 3 days 4
 * hours`) and the Gemini CLI (`"retryDelay": "34s"`, `reset after 12h34m56s`), and a `retry-after` in seconds.
 * @returns null if the words name no time that is still to come
 */
export function resetIn(words: string, nowMs: number): Reset | null {
  for (const read of forms) {
    const reset = read(words, nowMs);
    if (reset !== null) return "at" in reset && reset.at <= nowMs ? null : reset;
  }
  return null;
}

const forms: readonly ((words: string, nowMs: number) => Reset | null)[] = [
  epoch,
  isoTime,
  retryAfter,
  wait,
  date,
  timeOfDay,
];

/** `usage limit reached|1749924000`, `"resets_at": 1749924000`. */
function epoch(words: string): Reset | null {
  const found = /(?:\||resets?[_ ]?at"?\s*[:=]\s*)(\d{10})(\d{3})?\b/iu.exec(words);
  return found === null ? null : { at: Number(found[1]) * 1000 + Number(found[2] ?? 0) };
}

function isoTime(words: string): Reset | null {
  const found = /\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})/u.exec(words);
  return found === null ? null : { at: Date.parse(found[0]) };
}

/** `retry-after: 120`, `"retry_after": 120`, `"resets_in_seconds": 120`. */
function retryAfter(words: string): Reset | null {
  const found = /(?:retry[-_ ]after|resets_in_seconds)"?\s*[:=]?\s*"?(\d+(?:\.\d+)?)\b(?!\s*[a-z])/iu.exec(
    words,
  );
  return found === null ? null : { inMs: Math.ceil(Number(found[1]) * 1000) };
}

/** `retry in 34.07s`, `reset after 12h34m56s`, `try again in 3 days 4 hours 2 minutes`, `"retryDelay": "34s"`. */
function wait(words: string): Reset | null {
  const found =
    /(?:(?:again|retry|resets?) (?:in|after)|retryDelay"?:)\s*"?((?:\d+(?:\.\d+)?\s*[a-z]+[,\s]*(?:and\s+)?)+)/iu.exec(
      words,
    );
  const parts = [...(found?.[1] ?? "").matchAll(/(\d+(?:\.\d+)?)\s*([a-z]+)/giu)].map(
    ([, count = "", unit = ""]) => Number(count) * (unitOf(unit.toLowerCase()) ?? Number.NaN),
  );
  const known = parts.filter((ms) => !Number.isNaN(ms));
  return known.length === 0 ? null : { inMs: Math.ceil(known.reduce((sum, ms) => sum + ms, 0)) };
}

function unitOf(unit: string): number | null {
  const found = /^(?:(ms|millis\w*)|(s|secs?|seconds?)|(m|mins?|minutes?)|(h|hrs?|hours?)|(d|days?))$/u.exec(
    unit,
  );
  const at = found === null ? -1 : found.slice(1).findIndex((each) => each !== undefined);
  const name = ["ms", "s", "m", "h", "d"][at];
  return name === undefined ? null : milliseconds(`1${name}`);
}

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const clock = String.raw`(\d{1,2})(?::(\d{2}))?\s*(am|pm)?`;
const dated = new RegExp(
  String.raw`\b(?:at|on|resets?)\s+([a-z]{3})[a-z]*\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(?:(\d{4}),?\s+)?(?:at\s+)?${clock}(\s*\(?UTC\b)?`,
  "iu",
);
const timed = new RegExp(String.raw`\b(?:at|resets?)\s+${clock}(\s*\(?UTC\b)?`, "iu");

/** `try again at Dec 29th, 2026 10:15 PM`, in the time of this machine unless the words say UTC. */
function date(words: string, nowMs: number): Reset | null {
  const found = dated.exec(words);
  const month = months.indexOf(found?.[1]?.toLowerCase() ?? "");
  const minutes = minutesOf(found?.[4], found?.[5], found?.[6]);
  if (found === null || month < 0 || minutes === null) return null;
  const day = { month, date: Number(found[2]), minutes, utc: found[7] !== undefined };
  const year = found[3] === undefined ? new Date(nowMs).getFullYear() : Number(found[3]);
  const at = timeOf({ ...day, year });
  // Without a year, in the last days of one.
  return { at: found[3] === undefined && at < nowMs - 180 * dayMs ? timeOf({ ...day, year: year + 1 }) : at };
}

/** `try again at 3:05 PM`, `resets 8pm (UTC)`: today, or tomorrow if that was more than an hour ago. */
function timeOfDay(words: string, nowMs: number): Reset | null {
  const found = timed.exec(words);
  const minutes = minutesOf(found?.[1], found?.[2], found?.[3]);
  if (found === null || minutes === null) return null;
  const utc = found[4] !== undefined;
  const now = new Date(nowMs);
  const [year, month, today] = utc
    ? [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()]
    : [now.getFullYear(), now.getMonth(), now.getDate()];
  const at = timeOf({ year, month, date: today, minutes, utc });
  return { at: at < nowMs - dayMs / 24 ? timeOf({ year, month, date: today + 1, minutes, utc }) : at };
}

const dayMs = 86_400_000;

/** Null: not a time. A number alone, as in `at 3`, is none. */
function minutesOf(
  hour: string | undefined,
  minute: string | undefined,
  half: string | undefined,
): number | null {
  if (hour === undefined || (minute === undefined && half === undefined)) return null;
  const given = Number(hour);
  const isAfternoon = half?.toLowerCase() === "pm";
  const hours = half === undefined ? given : (given % 12) + (isAfternoon ? 12 : 0);
  return given > (half === undefined ? 23 : 12) || Number(minute ?? 0) > 59
    ? null
    : hours * 60 + Number(minute ?? 0);
}

interface CalendarTime {
  readonly year: number;
  readonly month: number;
  readonly date: number;
  readonly minutes: number;
  readonly utc: boolean;
}

function timeOf({ year, month, date: day, minutes, utc }: CalendarTime): number {
  return utc ? Date.UTC(year, month, day, 0, minutes) : new Date(year, month, day, 0, minutes).getTime();
}
