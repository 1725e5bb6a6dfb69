import * as z from "zod";

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const maxMs = 7 * 86_400_000;
const format = /^(?:\d{1,9}(?:ms|s|m|h|d))+$/;

const words = 'a duration is written like "90s", "30m" or "1h30m"';

/** A duration as written, or 0. */
export const DurationOrNothing = z.union(
  [z.literal(0), z.string().refine((text) => format.test(text) && milliseconds(text) <= maxMs, words)],
  { error: `${words}; 0 switches it off` },
);

/** `90s`, `30m` or `1h30m` in a settings file, milliseconds in memory; more than 0 and at most 7 days. */
export const Duration = z
  .string()
  .refine((text) => format.test(text), words)
  .transform(milliseconds)
  .refine((ms) => ms > 0 && ms <= maxMs, "a duration is more than nothing and at most 7d");

export const Milliseconds = z.int().positive("more than 0").max(maxMs, "at most 7 days");

/** As a person writes it in a settings file, in whole seconds: `1h30m`. @param ms of a duration */
export function durationText(ms: number): string {
  const parts = (["d", "h", "m", "s"] as const).map((unit, at, all) => {
    const above = all[at - 1];
    const rest = above === undefined ? ms : ms % (units[above] ?? 1);
    return [Math.floor(rest / (units[unit] ?? 1)), unit] as const;
  });
  const text = parts.flatMap(([count, unit]) => (count === 0 ? [] : `${count}${unit}`)).join("");
  return text === "" ? "0s" : text;
}

export function milliseconds(text: string): number {
  let total = 0;
  for (const [, count, unit] of text.matchAll(/(\d+)(ms|s|m|h|d)/g))
    total += Number(count) * (units[unit ?? ""] ?? 0);
  return total;
}
