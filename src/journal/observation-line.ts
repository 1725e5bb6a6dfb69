import { AppError } from "../lib/errors.ts";

/** The wire form of observations and of queries for them. Pure; observations.ts is the store. */
export interface Observation {
  /** Write order over all processes. */
  readonly id: number;
  readonly session: string;
  /** Starts at 0. */
  readonly round: number;
  readonly agent: string;
  /** ISO 8601 UTC with milliseconds. */
  readonly at: string;
  readonly content: string;
}

/** Null is `*`. */
export interface ObservationPattern {
  readonly session: string | null;
  readonly round: number | null;
  readonly agent: string | null;
  readonly at: string | null;
}

/** `OBS[S{sid},R{n},A:{agent},T:{timestamp}]: {content}` on one line. */
export function printObservation({ session, round, agent, at, content }: Omit<Observation, "id">): string {
  return `OBS[S${session},R${round},A:${agent},T:${at}]: ${content.replace(/[\\\n\r]/g, (char) => escapes[char] ?? char)}`;
}

/** @param isAgent accepts the protocol's agents; default every name */
export function parseObservation(
  line: string,
  isAgent: (name: string) => boolean = isPlaceName,
): Omit<Observation, "id"> {
  const places = readPlaces(line, { wildcard: false, isAgent });
  if (!line.startsWith(": ", places.end))
    throw malformed(line, places.end, 'expected ": " after the closing bracket');
  const { session, round, agent, at } = places;
  if (session === null || round === null || agent === null || at === null)
    throw malformed(line, 0, "expected four values");
  return { session, round, agent, at, content: unescape(line, places.end + 2) };
}

/** `OBS[Sx,R1,*,*]`: any mix of values and `*`; also `R{current}` and `R{n-1}` if `currentRound` is given. */
export function parsePattern(text: string, currentRound?: number): ObservationPattern {
  const { end, ...pattern } = readPlaces(text, {
    wildcard: true,
    ...(currentRound === undefined ? {} : { currentRound }),
  });
  if (end !== text.length) throw malformed(text, end, "expected the end after the closing bracket");
  return pattern;
}

/** Whether a name can be printed and parsed in the wire form. */
export function isPlaceName(text: string): boolean {
  return /^[^\s,\][*{}]+$/.test(text);
}

interface ParseOptions {
  readonly wildcard: boolean;
  readonly isAgent?: (name: string) => boolean;
  readonly currentRound?: number;
}

type ParsedPlaces = ObservationPattern & { readonly end: number };

function readPlaces(text: string, reading: ParseOptions): ParsedPlaces {
  let at = expectText(text, 0, "OBS[");
  const place = (prefix: string, last: boolean): string | null => {
    const end = last ? text.indexOf("]", at) : endOfPlace(text, at);
    const value = text.slice(at, end === -1 ? text.length : end);
    const start = at;
    if (end === -1)
      throw malformed(text, text.length, last ? 'expected "]"' : 'expected "," and the next place');
    at = end + 1;
    if (value === "*" && reading.wildcard) return null;
    if (!value.startsWith(prefix))
      throw malformed(text, start, `expected "${prefix}"${reading.wildcard ? ' or "*"' : ""}`);
    return value.slice(prefix.length);
  };

  const named = (prefix: string, isName = isPlaceName): string | null => {
    const start = at + prefix.length;
    const value = place(prefix, false);
    if (value !== null && !(isPlaceName(value) && isName(value)))
      throw malformed(text, start, `expected a name after "${prefix}"`);
    return value;
  };

  const session = named("S");
  const roundAt = at + 1;
  const round = roundOf(place("R", false), (why) => malformed(text, roundAt, why), reading.currentRound);
  const agent = named("A:", reading.isAgent);
  const timeAt = at + 2;
  const time = place("T:", true);
  if (time !== null && !isTimestamp(time))
    throw malformed(text, timeAt, "expected a time such as 2026-01-31T12:00:00.000Z");
  return { session, round, agent, at: time, end: at };
}

function expectText(text: string, at: number, expected: string): number {
  if (!text.startsWith(expected, at)) throw malformed(text, at, `expected "${expected}"`);
  return at + expected.length;
}

/** A field ends at the comma; a bracket before it means that fields are missing. */
function endOfPlace(text: string, at: number): number {
  const comma = text.indexOf(",", at);
  const bracket = text.indexOf("]", at);
  if (bracket !== -1 && (comma === -1 || bracket < comma))
    throw malformed(text, bracket, 'expected "," and the next place');
  return comma;
}

function roundOf(
  text: string | null,
  fail: (why: string) => AppError,
  current: number | undefined,
): number | null {
  if (text === null) return null;
  if (text === "{current}" || text === "{n-1}") {
    if (current === undefined) throw fail("there is no current round here");
    return text === "{current}" ? current : current - 1;
  }
  if (!/^\d{1,9}$/.test(text)) throw fail("expected a whole number");
  return Number(text);
}

function isTimestamp(text: string): boolean {
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString() === text;
}

const escapes: Readonly<Record<string, string>> = { "\\": "\\\\", "\n": "\\n", "\r": "\\r" };
const unescapes: Readonly<Record<string, string>> = { "\\\\": "\\", "\\n": "\n", "\\r": "\r" };

function unescape(line: string, from: number): string {
  let out = "";
  for (let at = from; at < line.length; at++) {
    const char = line.charAt(at);
    if (char === "\n" || char === "\r") throw malformed(line, at, "expected one line");
    if (char !== "\\") {
      out += char;
      continue;
    }
    const meant = unescapes[line.slice(at, at + 2)];
    if (meant === undefined) throw malformed(line, at, 'expected "\\n", "\\r" or "\\\\"');
    out += meant;
    at += 1;
  }
  return out;
}

function malformed(text: string, at: number, why: string): AppError {
  return new AppError("bad_pattern", `column ${at + 1}: ${why}, in ${JSON.stringify(text.slice(0, 200))}`, {
    hint: "An observation reads OBS[S1,R0,A:QA,T:2026-01-31T12:00:00.000Z]: text; in a query each place may be *.",
    detail: { column: at + 1 },
  });
}
