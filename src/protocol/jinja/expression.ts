/** Parses the words of a tag as an expression, with Jinja2's precedence. */
import type { Word } from "./scan.ts";
import { JinjaFault, operators, type Expression, type Operator } from "./tree.ts";

export interface WordReader {
  readonly line: number;
  /** The next word, without consuming it. */
  peek(): Word | null;
  take(): Word | null;
  /** Consumes this sign or name if it is the next word. */
  takes(text: string): boolean;
  expect(text: string): void;
  name(): string;
  end(): void;
}

export function wordReader(words: readonly Word[], line: number): WordReader {
  let at = 0;
  const peek = (): Word | null => words[at] ?? null;
  const take = (): Word | null => words[at++] ?? null;
  const takes = (text: string): boolean => {
    const next = peek();
    if (next === null || next.kind === "string" || next.text !== text) return false;
    at++;
    return true;
  };
  const found = (): string => (peek() === null ? "the end of the tag" : JSON.stringify(peek()?.text));
  const fault = (expected: string): never => {
    throw new JinjaFault(peek()?.line ?? line, `${expected} is expected here, not ${found()}`);
  };
  return {
    line,
    peek,
    take,
    takes,
    expect: (text) => {
      if (!takes(text)) fault(text);
    },
    name: () => (peek()?.kind === "name" ? (take()?.text ?? "") : fault("a name")),
    end: () => {
      if (peek() !== null) fault("the end of the tag");
    },
  };
}

export function expression(words: WordReader): Expression {
  const yes = orExpression(words);
  if (!words.takes("if")) return yes;
  const condition = orExpression(words);
  const no: Expression = words.takes("else") ? expression(words) : { kind: "literal", value: "" };
  return { kind: "choice", if: condition, yes, no };
}

function orExpression(words: WordReader): Expression {
  let left = andExpression(words);
  while (words.takes("or")) left = { kind: "or", left, right: andExpression(words) };
  return left;
}

function andExpression(words: WordReader): Expression {
  let left = negation(words);
  while (words.takes("and")) left = { kind: "and", left, right: negation(words) };
  return left;
}

function negation(words: WordReader): Expression {
  return words.takes("not") ? { kind: "not", of: negation(words) } : comparison(words);
}

function comparison(words: WordReader): Expression {
  const left = filterChain(words);
  const line = words.peek()?.line ?? words.line;
  const operator = operatorOf(words);
  return operator === null ? left : { kind: "compare", operator, left, right: filterChain(words), line };
}

function operatorOf(words: WordReader): Operator | null {
  if (words.takes("not")) {
    words.expect("in");
    return "not in";
  }
  return operators.find((operator) => words.takes(operator)) ?? null;
}

function filterChain(words: WordReader): Expression {
  let value = postfix(words);
  while (words.takes("|")) {
    const line = words.peek()?.line ?? words.line;
    value = { kind: "filter", name: words.name(), of: value, args: argumentsOf(words), line };
  }
  return value;
}

function argumentsOf(words: WordReader): ReadonlyMap<string, string | number> {
  const args = new Map<string, string | number>();
  if (!words.takes("(")) return args;
  while (!words.takes(")")) {
    if (args.size > 0) words.expect(",");
    let key = String(args.size);
    if (words.peek()?.kind === "name") {
      key = words.name();
      words.expect("=");
    }
    const value = words.take();
    if (value?.kind !== "string" && value?.kind !== "number")
      throw new JinjaFault(value?.line ?? words.line, "a filter takes texts and numbers only");
    args.set(key, value.kind === "string" ? value.text : Number(value.text));
  }
  return args;
}

function postfix(words: WordReader): Expression {
  let value = primary(words);
  for (;;) {
    const line = words.peek()?.line ?? words.line;
    if (words.takes(".")) value = { kind: "field", of: value, name: words.name(), line };
    else if (words.takes("[")) {
      const key = words.take();
      if (key?.kind === "number") value = { kind: "index", of: value, at: Number(key.text), line };
      else if (key?.kind === "string") value = { kind: "field", of: value, name: key.text, line };
      else throw new JinjaFault(line, "a number or a text is expected between [ and ]");
      words.expect("]");
    } else return value;
  }
}

const constants: Readonly<Record<string, boolean | null>> = {
  true: true,
  True: true,
  false: false,
  False: false,
  none: null,
  None: null,
};

function primary(words: WordReader): Expression {
  if (words.takes("(")) {
    const inner = expression(words);
    words.expect(")");
    return inner;
  }
  const word = words.take();
  switch (word?.kind) {
    case "string":
      return { kind: "literal", value: word.text };
    case "number":
      return { kind: "literal", value: Number(word.text) };
    case "name": {
      const constant = Object.hasOwn(constants, word.text) ? constants[word.text] : undefined;
      if (constant !== undefined) return { kind: "literal", value: constant };
      return { kind: "name", name: word.text, line: word.line };
    }
    default:
      throw new JinjaFault(
        word?.line ?? words.line,
        word == null ? "a value is missing here" : `a value is expected here, not "${word.text}"`,
      );
  }
}
