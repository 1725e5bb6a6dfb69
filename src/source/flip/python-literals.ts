/** Changes one literal of an expected value in Python, so that the value is certainly a different one. */
import type { Literal, Script } from "../script.ts";
import type { Draw } from "./edit.ts";
import type { Edit } from "../text-edits.ts";

export interface PythonLeaf {
  readonly start: number;
  readonly end: number;
  readonly type: "number" | "string" | "word" | "empty";
  /** The token, for a string the text between its quotes. */
  readonly text: string;
}

/** The leaves of an expression that consists of literals only; empty for every other expression. */
export function pythonLeaves(script: Script, from: number, to: number): readonly PythonLeaf[] {
  const leaves: PythonLeaf[] = [];
  const open: number[] = [];
  let isAfterString = false;
  let isBroken = false;
  for (let at = from; at < to && !isBroken;) {
    const rest = script.code.slice(at, to);
    const space = /^(?:\s|\\\r?\n)+/.exec(rest)?.[0].length ?? 0;
    if (space > 0) {
      at += space;
      continue;
    }
    const token = pythonToken(script, at);
    if (token?.type === "string") {
      // Adjacent strings are one.
      if (isAfterString) isBroken = true;
      leaves.push(token);
      isAfterString = true;
      at = token.end;
      continue;
    }
    const char = rest.charAt(0);
    if (token !== null) {
      leaves.push(token);
      at = token.end;
    } else {
      if ("([{".includes(char)) open.push(at);
      else if (")]}".includes(char)) {
        const start = open.pop();
        if (start === undefined) isBroken = true;
        else if (
          script.code.slice(start + 1, at).trim() === "" &&
          script.text.slice(start + 1, at).trim() === ""
        )
          leaves.push({ start, end: at + 1, type: "empty", text: script.text.charAt(start) });
      } else if (!",:-".includes(char)) isBroken = true;
      at++;
    }
    isAfterString = false;
  }
  return isBroken || open.length > 0 ? [] : leaves;
}

/** The string, number or word of a literal that begins here; null elsewhere. */
export function pythonToken(script: Script, at: number): PythonLeaf | null {
  const rest = script.code.slice(at, at + maxToken);
  const prefix = /^[rRbBuU]{0,2}(?=["'])/.exec(rest)?.[0].length;
  const literal =
    prefix === undefined ? undefined : script.strings.find(({ start }) => start === at + prefix);
  if (literal !== undefined)
    return { start: at, end: literal.end, type: "string", text: insideOf(script, literal) };
  const word =
    /^(?:0[xXoObB][\da-fA-F_]+|(?:\d[\d_]*)?\.?\d[\d_]*\.?(?:[eE][+-]?\d+)?|True|False|None)(?![\w.])/.exec(
      rest,
    )?.[0];
  if (word === undefined) return null;
  return { start: at, end: at + word.length, type: /^[TFN]/.test(word) ? "word" : "number", text: word };
}

const maxToken = 4000;

function insideOf({ text }: Script, { start, end }: Literal): string {
  const quotes = /^(?:"""|''')/.test(text.slice(start, start + 3)) ? 3 : 1;
  return text.slice(start + quotes, end - quotes);
}

/** Replaces one leaf by a literal of the same type. */
export function changedPythonLeaf(
  { start, end, type, text }: PythonLeaf,
  { script, draw, known, difference }: PythonChange,
): Edit {
  const at = { start, end };
  switch (type) {
    case "number":
      return { ...at, text: changedNumber(text, { draw, known, difference }) };
    case "string": {
      const whole = script.text.slice(start, end);
      const quotes = /("""|'''|"|')$/.exec(whole)?.[1] ?? '"';
      return {
        ...at,
        text: `${whole.slice(0, -quotes.length)}${text === "" ? "" : " "}${draw.name()}${quotes}`,
      };
    }
    case "word":
      return { ...at, text: { True: "False", False: "True" }[text] ?? "True" };
    case "empty": {
      const value = draw.pick(small);
      return { ...at, text: { "[": `[${value}]`, "(": `(${value},)` }[text] ?? `{${value}: ${value}}` };
    }
  }
}

export interface PythonChange {
  readonly script: Script;
  readonly draw: Draw;
  /** Numbers of the file's expected values, as written. */
  readonly known: readonly string[];
  readonly difference: "other" | "rare" | "far";
}

const small: readonly number[] = Array.from({ length: 90 }, (_, at) => at + 7);

function changedNumber(text: string, { draw, known, difference }: Omit<PythonChange, "script">): string {
  const value = Number(text.replaceAll("_", ""));
  if (difference === "far") return `(${text} * 3 + 1e9)`;
  const others = known.filter((other) => Number(other.replaceAll("_", "")) !== value);
  if (difference === "other" && others.length > 0) return draw.pick(others);
  const step = draw.pick(small) * (difference === "rare" ? 1009 : 1);
  const next = value + step;
  const isPlain =
    Number.isSafeInteger(value) || (next !== value && Number.isFinite(next) && !Number.isInteger(value));
  return isPlain ? String(next) : `(${text} * 3 + ${step})`;
}
