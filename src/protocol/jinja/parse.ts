/**
 * Parses a Jinja template: text, `{{ … }}`, `{% if %}`, `{% for %}` and comments, compatible with Jinja2. Macros, includes
 * and calls are refused: a template must not be code, because an agent could write one.
 */
import { expression, wordReader, type WordReader } from "./expression.ts";
import { scan, type Piece } from "./scan.ts";
import { JinjaFault, type Body, type Expression, type Statement } from "./tree.ts";

/** @throws JinjaFault */
export function parseJinja(source: string): Body {
  const pieces = scan(source);
  const reader = { pieces, at: 0 };
  const { body, stop } = readBody(reader, []);
  if (stop !== null) throw new JinjaFault(stop.line, `{% ${stop.word} %} is outside of its block`);
  return body;
}

interface Reader {
  readonly pieces: readonly Piece[];
  at: number;
}

interface Stop {
  readonly word: string;
  readonly words: WordReader;
  readonly line: number;
}

/** Reads up to one of the end words, or to the end of the file. */
function readBody(
  reader: Reader,
  ends: readonly string[],
): { readonly body: Body; readonly stop: Stop | null } {
  const body: Statement[] = [];
  for (let piece = reader.pieces[reader.at++]; piece !== undefined; piece = reader.pieces[reader.at++]) {
    if (piece.kind === "text") {
      body.push(piece);
      continue;
    }
    const { line } = piece;
    const words = wordReader(piece.words, line);
    if (piece.kind === "print") {
      body.push({ kind: "print", value: fullExpression(words), line });
      continue;
    }
    const word = words.name();
    if (ends.includes(word) || closing.includes(word))
      return { body: withFences(body), stop: { word, words, line } };
    if (word === "if") body.push(readIf(reader, words));
    else if (word === "for") body.push(readFor(reader, words));
    else throw new JinjaFault(line, `{% ${word} %} is not known here: there are if, elif, else and for`);
  }
  return { body: withFences(body), stop: null };
}

const closing = ["elif", "else", "endif", "endfor"];

function readIf(reader: Reader, words: WordReader): Statement {
  const branches = [];
  let condition = fullExpression(words);
  for (;;) {
    const { body, stop } = readBody(reader, ["elif", "else", "endif"]);
    branches.push({ condition, body });
    const word = checkStop(stop, words, ["elif", "else", "endif"]);
    if (word === "elif") condition = fullExpression(stop?.words ?? words);
    else return { kind: "if", branches, otherwise: word === "else" ? readLast(reader, words, "endif") : [] };
  }
}

function readFor(reader: Reader, words: WordReader): Statement {
  const names = [words.name()];
  if (words.takes(",")) names.push(words.name());
  words.expect("in");
  const of = fullExpression(words);
  const { body, stop } = readBody(reader, ["else", "endfor"]);
  const word = checkStop(stop, words, ["else", "endfor"]);
  const otherwise = word === "else" ? readLast(reader, words, "endfor") : [];
  return { kind: "for", names, of, body, otherwise, line: words.line };
}

function readLast(reader: Reader, words: WordReader, end: string): Body {
  const { body, stop } = readBody(reader, [end]);
  checkStop(stop, words, [end]);
  return body;
}

function checkStop(stop: Stop | null, opening: WordReader, allowed: readonly string[]): string {
  if (stop === null)
    throw new JinjaFault(opening.line, `this block is never closed: {% ${allowed.at(-1)} %} is missing`);
  if (!allowed.includes(stop.word))
    throw new JinjaFault(stop.line, `{% ${stop.word} %} does not close the block of line ${opening.line}`);
  if (stop.word !== "elif") stop.words.end();
  return stop.word;
}

function fullExpression(words: WordReader): Expression {
  const value = expression(words);
  words.end();
  return value;
}

/** Marks values printed alone between two fence lines, so that the value cannot close the fence. */
function withFences(body: readonly Statement[]): Body {
  const out: Statement[] = [...body];
  for (let at = 1; at < out.length - 1; at++) {
    const [before, print, after] = [out[at - 1], out[at], out[at + 1]];
    if (before?.kind !== "text" || print?.kind !== "print" || after?.kind !== "text") continue;
    const open = /(?<=^|\n)(`{3,})([^\n`]*)\n$/.exec(before.text);
    const close = /^\n(`{3,})(?=[ \t]*(?:\n|$))/.exec(after.text);
    if (open === null || close === null || open[1] !== close[1]) continue;
    const [fence, ticks = "", info = ""] = open;
    out[at - 1] = { kind: "text", text: before.text.slice(0, -fence.length) };
    out[at] = { kind: "fenced", ticks: ticks.length, info, value: print.value, line: print.line };
    out[at + 1] = { kind: "text", text: after.text.slice(close[0].length) };
  }
  return out;
}
