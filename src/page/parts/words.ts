/** How a page writes numbers, times and verdicts. Pure; times are UTC, so that a page reads the same everywhere. */

/** `0.4 s`, `12 s`, `3 min 20 s`, `2 h 5 min`. */
export function durationText(ms: number): string {
  if (ms < 950) return `${(Math.round(ms / 10) / 100).toString()} s`;
  if (ms < 9_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}

/** `2026-11-30 07:15 UTC`. */
export function dateText(at: string): string {
  return `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;
}

/** `07:15:19`. */
export function clockText(at: string): string {
  return at.slice(11, 19);
}

/** `850`, `12.3 k`, `4.5 M`. */
export function amountText(count: number): string {
  if (count < 10_000) return String(count);
  if (count < 1_000_000) return `${(count / 1000).toFixed(1)} k`;
  return `${(count / 1_000_000).toFixed(1)} M`;
}

/** `$1.25`, or a dash if it was not reported. */
export function costText(usd: number | null): string {
  return usd === null ? "–" : `$${usd.toFixed(2)}`;
}

export function tokensText(tokens: number | null): string {
  return tokens === null ? "–" : amountText(tokens);
}

/** `3 gates`, `1 gate`. */
export function countText(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Milliseconds between two times; 0 if the clock went back. */
export function betweenMs(from: string, to: string): number {
  return Math.max(0, Date.parse(to) - Date.parse(from));
}

/** A name of the protocol as words: `test_refactor` is `test refactor`, `8 CODE_DUAL_REVIEW` is `8 Code dual review`. */
export function nameText(name: string): string {
  const words = name.replaceAll("_", " ");
  if (!/^\d+ [A-Z]/u.test(words)) return words;
  const [number = "", first = "", ...rest] = words.split(" ");
  const start = acronyms.has(first) ? first : `${first.charAt(0)}${first.slice(1).toLowerCase()}`;
  return [number, start, ...rest.map((word) => (acronyms.has(word) ? word : word.toLowerCase()))].join(" ");
}

/** What a person is asked, as a sentence: a protocol may shout it, `WAITING FOR CODE APPROVAL`. */
export function askText(text: string): string {
  const [, what = ""] = /^WAITING FOR ([A-Z ]+)$/u.exec(text) ?? [];
  return what === "" ? text : `${what.charAt(0)}${what.slice(1).toLowerCase()}`;
}

const acronyms: ReadonlySet<string> = new Set(["TDD", "RED", "GREEN"]);
