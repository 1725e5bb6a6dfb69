/** Assertions of Python that hold whatever value the unit returns; see script-values.ts. */
import { outerCode, partsAt, withoutBrackets, type Part } from "../flip/python-parts.ts";
import type { PythonLine } from "../flip/python-lines.ts";
import type { Script } from "../script.ts";
import { assignedName } from "./python-places.ts";
import { ofAlmostEqual, ofApproximation, ofDistance } from "./python-tolerance.ts";
import type { Weakness } from "./weak-test.ts";

export interface PythonValues {
  readonly script: Script;
  /** All lines of the test. */
  readonly body: readonly PythonLine[];
  readonly title: string;
}

interface Found {
  readonly why: Weakness;
  readonly isCertain: boolean;
}

export function valueWeakness(line: PythonLine, values: PythonValues): Found | null {
  const { script } = values;
  const call = /^self\s*\.\s*(assert\w+)\s*\(/.exec(line.code);
  if (call !== null) {
    const close = line.code.lastIndexOf(")");
    const args = partsAt(line, script, { from: call[0].length, to: close, separator: /^,/ });
    return ofMethod(
      call[1] ?? "",
      args.map((part) => textAt(line, part, script)),
      values,
    );
  }
  const [condition] = partsAt(line, script, { from: "assert".length, to: line.code.length, separator: /^,/ });
  if (condition === undefined) return null;
  if (isTuple(line, condition, script)) return { why: "constants", isCertain: true };
  const inner = withoutBrackets(line, script, condition);
  const range = { from: inner[0], to: inner[1] };
  const outer = outerCode(line, script, range);
  if (/\b(?:and|or|if|else|lambda|for)\b|:=/.test(outer)) return null;
  for (const [separator, kind] of operators) {
    const sides = partsAt(line, script, { ...range, separator });
    const [left, right] = sides.map((part) => textAt(line, part, script));
    if (sides.length !== 2 || left === undefined || right === undefined) continue;
    if (kind === "equal") return ofPair(left, right, values);
    if (kind === "same") return /^(?:type\s*\(|\w+$)/.test(left) ? ofPair(left, right, values) : null;
    return right === "None" ? presence(left, values) : null;
  }
  return ofCondition(textAt(line, inner, script), values);
}

const operators: readonly (readonly [RegExp, "equal" | "same" | "unequal"])[] = [
  [/^==/, "equal"],
  [/^\s+is\s+not\b/, "unequal"],
  [/^!=/, "unequal"],
  [/^\s+is\s+(?!not\b)/, "same"],
];

/** `assert (condition, "message")` asserts the tuple. */
function isTuple(line: PythonLine, [from, to]: Part, script: Script): boolean {
  const code = line.code.slice(from, to);
  const open = from + code.length - code.trimStart().length;
  const end = from + code.trimEnd().length;
  if (line.code.charAt(open) !== "(" || line.code.charAt(end - 1) !== ")") return false;
  if (outerCode(line, script, { from: open, to: end }).trim() !== "") return false;
  const parts = partsAt(line, script, { from: open + 1, to: end - 1, separator: /^,/ });
  return parts.length > 1 && outerCode(line, script, { from: open + 1, to: end - 1 }).includes(",");
}

function textAt({ start }: PythonLine, [from, to]: Part, { text }: Script): string {
  return text
    .slice(start + from, start + to)
    .trim()
    .replaceAll(/\s+/g, " ");
}

function ofMethod(method: string, args: readonly string[], values: PythonValues): Found | null {
  const [first, second] = args;
  if (first === undefined) return null;
  switch (method) {
    case "assertEqual":
    case "assertEquals":
    case "assertListEqual":
    case "assertDictEqual":
      return second === undefined ? null : ofPair(first, second, values);
    case "assertAlmostEqual":
      return second === undefined ? null : ofAlmostEqual(second, args.slice(2));
    case "assertTrue":
      return ofCondition(first, values);
    case "assertIsInstance":
      return second !== undefined && isPlainType(second) ? typeOnly(first, values) : null;
    case "assertIsNotNone":
      return presence(first, values);
    default:
      return null;
  }
}

function ofPair(left: string, right: string, values: PythonValues): Found | null {
  const checked = /^type\s*\((.*)\)$/s.exec(left)?.[1];
  if (checked !== undefined && isPlainType(right)) return typeOnly(checked, values);
  if (right === "True" && left !== "True") {
    const found = ofCondition(left, values);
    return found?.isCertain === true ? found : null;
  }
  return ofApproximation(right) ?? sameValue(left, right, values);
}

function ofCondition(given: string, values: PythonValues): Found | null {
  const condition = given.trim();
  const [, checked, type] = /^isinstance\s*\((.*),\s*([\w.]+|\([^()]*\))\s*\)$/s.exec(condition) ?? [];
  if (checked !== undefined && type !== undefined)
    return isPlainType(type) ? typeOnly(checked, values) : null;
  const wide = ofDistance(condition);
  if (wide !== null) return wide;
  const [, callable] = /^callable\s*\((.*)\)$/s.exec(condition) ?? [];
  if (callable !== undefined) return { why: "types", isCertain: false };
  if (/^(?:True|[1-9]\d*)$/.test(condition)) return constants(values);
  const call = callOf(condition, values);
  return call === null || isPredicate(call) ? null : { why: "types", isCertain: false };
}

/** Beside calls that must not raise, an assertion on constants may only mark the end. */
function constants({ body }: PythonValues): Found {
  const others = body.filter(({ code }) => !/^(?:assert\b|self\s*\.\s*assert)/.test(code));
  return { why: "constants", isCertain: !others.some(({ code }) => /\w\s*\(/.test(code)) };
}

function typeOnly(value: string, values: PythonValues): Found {
  const call = callOf(value, values);
  return { why: "types", isCertain: call !== null && !isPredicate(call) };
}

function presence(value: string, values: PythonValues): Found | null {
  const call = callOf(value, values);
  if (call === null) return { why: "types", isCertain: false };
  const name = calleeOf(call);
  const lines = values.script.code.split("\n").filter((one) => one.includes(`${name}(`));
  if (lines.some((one) => /\bis\s+None\b|assertIsNone\s*\(/.test(one))) return null;
  return { why: "types", isCertain: !isPredicate(call) };
}

/** The call that made a value; null for other values. */
function callOf(value: string, { body }: PythonValues): string | null {
  const plain = value.trim().replace(/^await\s+/, "");
  if (/^[\w.]+\s*\(.*\)$/s.test(plain)) return plain;
  const name = /^\w+/.exec(plain)?.[0] ?? "";
  if (name !== plain) return null;
  const made = body.filter((line) => assignedName(line) === name);
  const code = made.length === 1 ? (made[0]?.code ?? "").replace(/^\w+\s*=\s*(?:await\s+)?/, "").trim() : "";
  return /^[\w.]+\s*\(.*\)$/s.test(code) ? code : null;
}

function calleeOf(call: string): string {
  return /([\w]+)\s*\(/.exec(call)?.[1] ?? "";
}

const predicate =
  /^(?:is|has|have|can|should|contains?|includes?|matches|exists?|get|find|query|lookup|search|select|resolve|locate|pick|first|last|peek|pop|next|read|load|fetch|match|exec|any|all|bool|re|check|valid)(?![a-z])/;

function isPredicate(call: string): boolean {
  return predicate.test(calleeOf(call)) || /^[A-Z]/.test(calleeOf(call));
}

function sameValue(left: string, right: string, values: PythonValues): Found | null {
  const [one, other] = [substituted(left, values), substituted(right, values)];
  if (one !== other) return null;
  const calls = [...one.matchAll(/([\w.]+)\s*\(\s*(\)?)/g)];
  if (/^(?:-?[\d.]+|True|False|None|"[^"]*"|'[^']*')$/.test(left) && left === right) return constants(values);
  const isMeant =
    /singleton|same|cach|memo|instance|identi|determin|stable|idempot|pure|consisten|reference|once|repeat|twice|again|eq|reflex|reproduc|clone|copy|hash|immutab|mutat/i.test(
      values.title,
    );
  if (left === right && !left.includes("("))
    return /^[\w.]+$/.test(left) ? { why: "same value", isCertain: !isMeant && !left.includes(".") } : null;
  // Two objects of one class are equal only if the class says so.
  const isPlain = calls.every(([, name = "", empty]) => !/^(?:\w+\.)*[A-Z]/.test(name) && empty === "");
  // A method of the test, or of an object, may change what it returns.
  const isOfModule = calls.every(([, name = ""]) => !name.includes("."));
  return isPlain ? { why: "own answer", isCertain: !isMeant && isOfModule } : null;
}

/** The code of a value, with the call of the variable that holds it; not where another statement may change it. */
function substituted(value: string, { body, script }: PythonValues): string {
  if (!/^\w+$/.test(value)) return value;
  const others = body.filter(({ code }) => !/^(?:\w+\s*=(?!=)|assert\b|self\s*\.\s*assert)/.test(code));
  const made = body.filter((line) => assignedName(line) === value);
  const [line] = made;
  if (made.length !== 1 || line === undefined || others.length > 0) return value;
  const text = script.text
    .slice(line.start, line.end)
    .replace(/^\w+\s*=\s*/, "")
    .trim()
    .replaceAll(/\s+/g, " ");
  return /^[\w.]+\s*\(/.test(text) ? text : value;
}

function isPlainType(type: string): boolean {
  return /^\(?(?:\s*(?:int|str|float|bool|bytes|list|dict|tuple|set|frozenset|complex|object)\s*,?)+\)?$/.test(
    type,
  );
}
