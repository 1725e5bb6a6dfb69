/** What the code answered for the inputs of its tests and for neighbouring ones. Pure. */
import type { Assertion } from "../../source/neighbours/assertion.ts";
import type { FoundLiteral } from "../../source/neighbours/found-literal.ts";

/** Answers of one assertion, as numbers that are equal for equal answers of a file. */
export interface Answers {
  readonly tested: string;
  /** Answer for neighbouring inputs -> how often. */
  readonly found: ReadonlyMap<string, number>;
}

/** The call failed. */
export const thrown = "-1";
/** Nothing: null, undefined, None, NaN. */
export const nothing = "0";
/** The input itself. */
export const echo = "-2";

export interface TriedFile {
  readonly file: string;
  readonly assertions: readonly Assertion[];
  /** By site. */
  readonly answers: ReadonlyMap<number, Answers>;
}

/** A literal in a changed line of source or of data. */
export interface ChangedLiteral extends Pick<FoundLiteral, "text" | "role" | "within" | "isWhole"> {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** Test files that have nothing to do with this file, and others have. */
  readonly unconcerned?: readonly string[];
}

export type Neighbours =
  | { readonly state: "measured"; readonly files: readonly TriedFile[] }
  | { readonly state: "not measured"; readonly why: string };

/** Reads the results that follow one of the marks in messages of tests, which have no colours. */
export function answersIn(
  messages: readonly string[],
  marks: readonly string[],
): ReadonlyMap<number, Answers> {
  const found = marks.flatMap((mark) => {
    const message = messages.find((one) => one.includes(`${mark}:`));
    if (message === undefined) return [];
    const after = message.slice(message.indexOf(`${mark}:`) + mark.length + 1);
    const text = /^\[?[\d, ]*\]?\|([-\d=/*,; ]*)\|/u.exec(after)?.[1] ?? "";
    return text.split(";").flatMap(siteIn);
  });
  return new Map(found);
}

function siteIn(text: string): readonly (readonly [number, Answers])[] {
  const [, site, tested, list] = /^(\d+)=([-\d ]*)\/(.+)$/u.exec(text) ?? [];
  if (site === undefined || tested === undefined || list === undefined) return [];
  const found = list.split(",").flatMap((one) => {
    const [answer, count] = one.split("*");
    return answer === undefined || count === undefined ? [] : [[answer, Number(count)] as const];
  });
  return [[Number(site), { tested, found: new Map(found) }]];
}
