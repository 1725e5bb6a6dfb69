/** Places of a Python test at which an assertion is not executed, or its failure is lost. */
import { linesBelow, type PythonLine } from "../flip/python-lines.ts";
import type { Script } from "../script.ts";
import type { Weakness } from "./weak-test.ts";

export interface LinePlace {
  readonly line: PythonLine;
  /** Its index in the body. */
  readonly at: number;
  /** All lines of the test. */
  readonly body: readonly PythonLine[];
  readonly script: Script;
}

interface Found {
  readonly why: Weakness;
  readonly isCertain: true;
}

export function placeWeakness(place: LinePlace): Found | null {
  const { line, body, at } = place;
  if (/^self\s*\.\s*assert\w+\s*$/.test(line.code)) return certain("not executed");
  if (isAfterEnd(place)) return certain("not executed");
  const heads = headsAround(body, at);
  for (const head of heads) {
    const { code } = head;
    if (/^(?:if|while)\s+(?:False|0|None)\s*:$/.test(code.trim())) return certain("not executed");
    if (isUnused(head, body)) return certain("not executed");
    if (isEmptyLoop(head, place)) return certain("empty loop");
    const isRetried = heads.some((other) => /^(?:async\s+)?(?:for|while)\b/.test(other.code));
    if (/^try\s*:/.test(code) && !isRetried && isSwallowing(head, body)) return certain("swallowed");
    if (/^(?:async\s+)?with\b.*\bsuppress\s*\([^)]*\b(?:AssertionError|Exception|BaseException)\b/.test(code))
      return certain("swallowed");
  }
  return null;
}

const certain = (why: Weakness): Found => ({ why, isCertain: true });

/** The heads of the blocks around a line, the innermost first. */
function headsAround(body: readonly PythonLine[], at: number): readonly PythonLine[] {
  const heads: PythonLine[] = [];
  let depth = body[at]?.indent.length ?? 0;
  for (const line of body.slice(0, at).toReversed()) {
    if (line.indent.length >= depth || !/:\s*$/.test(line.code)) continue;
    heads.push(line);
    depth = line.indent.length;
  }
  return heads;
}

/** After a `return` or `raise` of the same block. */
function isAfterEnd({ body, at }: LinePlace): boolean {
  let depth = body[at]?.indent.length ?? 0;
  for (const line of body.slice(0, at).toReversed()) {
    if (line.indent.length > depth) continue;
    if (line.indent.length === depth && /^(?:return|raise)\b/.test(line.code)) return true;
    depth = line.indent.length;
  }
  return false;
}

/** An inner function without decorator whose name is not used again. */
function isUnused(head: PythonLine, body: readonly PythonLine[]): boolean {
  const [, name] = /^(?:async\s+)?def\s+(\w+)/.exec(head.code) ?? [];
  if (name === undefined || body[body.indexOf(head) - 1]?.code.startsWith("@") === true) return false;
  return body.filter(({ code }) => wordsIn(code).includes(name)).length === 1;
}

function isEmptyLoop({ code }: PythonLine, { body, script }: LinePlace): boolean {
  const [, over = ""] = /^(?:async\s+)?for\b.*?\bin\s+(.*?)\s*:\s*$/.exec(code) ?? [];
  if (isEmpty(over)) return true;
  if (!/^\w+$/.test(over)) return false;
  const uses = wordsIn(script.code).filter((word) => word === over);
  const made = body.find((line) => assignedName(line) === over);
  return uses.length === 2 && made !== undefined && isEmpty(made.code.replace(/^\w+\s*=\s*/, "").trim());
}

/** Names in code, without attributes. */
function wordsIn(code: string): readonly string[] {
  return code.match(/(?<![\w.])[A-Za-z_]\w*/g) ?? [];
}

/** The variable to which a line assigns. */
export function assignedName({ code }: PythonLine): string | undefined {
  return /^(\w+)\s*=(?!=)/.exec(code)?.[1];
}

/** Strings are blanked in the code, so that an empty one cannot be told from others. */
function isEmpty(code: string): boolean {
  return /^(?:\[\s*\]|\(\s*\)|\{\s*\}|(?:list|tuple|set|dict)\(\s*\)|range\(\s*0\s*\))$/.test(code);
}

/** A handler for failed assertions that does nothing with them. */
function isSwallowing(head: PythonLine, body: readonly PythonLine[]): boolean {
  const at = body.indexOf(head);
  const rest = body.slice(at + 1);
  const end = rest.findIndex(
    ({ indent, code }) =>
      indent.length < head.indent.length ||
      (indent.length === head.indent.length && !/^(?:except|else|finally)\b/.test(code)),
  );
  const own = end === -1 ? rest : rest.slice(0, end);
  return own.some(({ indent, code }, index) => {
    if (indent.length !== head.indent.length || !code.startsWith("except")) return false;
    const types = code.replace(/^except\b|\bas\s+\w+\s*:|:\s*\S*\s*$/g, " ");
    const isWide = types.trim() === "" || /\b(?:AssertionError|Exception|BaseException)\b/.test(types);
    const handler = linesBelow(own, index);
    const inline = /:\s*(\S.*)$/.exec(code)?.[1];
    return (
      isWide && [...handler.map((line) => line.code), ...(inline === undefined ? [] : [inline])].every(isIdle)
    );
  });
}

function isIdle(code: string): boolean {
  return /^(?:pass|\.\.\.|return|continue|print\s*\(.*\)|log(?:ger|ging)?\s*\..*)\s*$/s.test(code);
}
