/** Splits a template into texts and tags, and tags into words. `-` trims white space, as in Jinja2. */
import { JinjaFault } from "./tree.ts";

export interface Word {
  readonly kind: "name" | "number" | "string" | "sign";
  readonly text: string;
  readonly line: number;
}

export type Piece =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "print" | "block"; readonly words: readonly Word[]; readonly line: number };

export function scan(given: string): readonly Piece[] {
  // Jinja2 normalises line ends to \n and drops the last one.
  const source = given.replaceAll(/\r\n?/g, "\n").replace(/\n$/, "");
  const pieces: Piece[] = [];
  let at = 0;
  let trims = false;
  const text = (end: number, trimEnd: boolean): void => {
    let piece = source.slice(at, end);
    if (trims) piece = piece.trimStart();
    if (trimEnd) piece = piece.trimEnd();
    if (piece !== "") pieces.push({ kind: "text", text: piece });
  };
  for (let open = nextTag(source, at); open !== null; open = nextTag(source, at)) {
    text(open.at, open.trims);
    const line = lineOf(source, open.at);
    if (open.sign === "{#") {
      const end = source.indexOf("#}", open.from);
      if (end < 0) throw new JinjaFault(line, "this comment is never closed: #} is missing");
      trims = source[end - 1] === "-";
      at = end + 2;
    } else {
      const { words, end, trimsAfter } = tag(source, open.from, open.sign === "{{" ? "}}" : "%}");
      pieces.push({ kind: open.sign === "{{" ? "print" : "block", words, line });
      trims = trimsAfter;
      at = end;
    }
  }
  text(source.length, false);
  return pieces;
}

function nextTag(source: string, from: number) {
  const match = tagOpening(from).exec(source);
  if (match === null) return null;
  const [all, sign = "", minus = ""] = match;
  return { sign, at: match.index, from: match.index + all.length, trims: minus !== "" };
}

function tagOpening(from: number): RegExp {
  const opening = /(\{[{%#])(-?)/g;
  opening.lastIndex = from;
  return opening;
}

function tag(source: string, from: number, close: string) {
  const line = lineOf(source, from);
  const word =
    /\s*(?:(-?)(\}\}|%\})|([A-Za-z_]\w*)|(\d+)|('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|([=!<>]=|[=<>|.,()[\]]))/sy;
  word.lastIndex = from;
  const words: Word[] = [];
  for (;;) {
    const before = word.lastIndex;
    const match = word.exec(source);
    if (match === null) {
      const rest = source.slice(before).trimStart();
      if (rest === "") throw new JinjaFault(line, `this tag is never closed: ${close} is missing`);
      const here = lineOf(source, source.length - rest.length);
      throw new JinjaFault(here, `${JSON.stringify(rest.charAt(0))} means nothing here`);
    }
    const [all, minus, end, name, number, string, sign] = match;
    const here = lineOf(source, match.index + all.length - all.trimStart().length);
    if (end !== undefined) {
      if (end !== close) throw new JinjaFault(here, `this tag ends with ${end}, where ${close} is expected`);
      return { words, end: word.lastIndex, trimsAfter: minus === "-" };
    }
    if (name !== undefined) words.push({ kind: "name", text: name, line: here });
    else if (number !== undefined) words.push({ kind: "number", text: number, line: here });
    else if (string !== undefined) words.push({ kind: "string", text: unquoted(string), line: here });
    else words.push({ kind: "sign", text: sign ?? "", line: here });
  }
}

function unquoted(string: string): string {
  const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" };
  return string.slice(1, -1).replaceAll(/\\(.)/gs, (_, char: string) => escapes[char] ?? char);
}

function lineOf(source: string, offset: number): number {
  return source.slice(0, offset).split("\n").length;
}
