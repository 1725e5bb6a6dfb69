/**
 * Whether a change only adapts code to a sibling's merge (V3-39). In JavaScript and TypeScript the syntax trees must be
 * equal except for imports, renames, and the signatures and arguments of changed symbols; other languages are compared by
 * lines.
 */
import type { ChangeEntry } from "../../protocol/graph-types/shared.ts";
import { linesDiffer, type LineFault } from "./mechanical-lines.ts";
import {
  withoutPositions,
  fieldsOf,
  isNode,
  lineOf,
  nodesIn,
  wordOf,
  type Parse,
  type SyntaxNode,
} from "../../source/syntax.ts";

export interface AdaptedFile {
  readonly path: string;
  /** Possible texts before the change: git's merge, or the resolutions of its conflicts. */
  readonly befores: readonly string[];
  readonly after: string;
  readonly symbols: ChangedSymbols;
  readonly parse: Parse;
}

/** Names as code uses them: the last part of `Db.open`. */
export interface ChangedSymbols {
  readonly removed: ReadonlySet<string>;
  readonly added: ReadonlySet<string>;
  readonly all: ReadonlySet<string>;
}

export function changedSymbols(
  changes: readonly Pick<ChangeEntry, "symbol" | "changeType">[],
): ChangedSymbols {
  const of = (...types: readonly ChangeEntry["changeType"][]) =>
    new Set(
      changes
        .filter(({ changeType }) => types.length === 0 || types.includes(changeType))
        .map(({ symbol }) => /[\p{L}\p{N}_$]+$/u.exec(symbol)?.[0] ?? symbol),
    );
  return { removed: of("RemovedExport"), added: of("NewExport"), all: of() };
}

/** Null where the change is mechanical. */
export function mechanicalFault(adapting: AdaptedFile): LineFault | null {
  const { path, befores, after, symbols, parse } = adapting;
  const trees = befores.map((text) => parse(path, text)).filter((tree) => tree !== null);
  const now = trees.length === 0 ? null : parse(path, after);
  if (trees.length > 0 && now === null) return { line: 1, what: "it no longer parses" };
  if (now !== null) return bestFault(trees.map((tree) => compareTrees(tree, now, symbols)));
  return bestFault(befores.map((text) => linesDiffer(text, after, symbols.all)));
}

/** One resolution without a fault is enough; otherwise the latest fault belongs to the intended resolution. */
function bestFault(faults: readonly (LineFault | null)[]): LineFault | null {
  const real = faults.filter((fault) => fault !== null);
  if (real.length < faults.length) return null;
  return real.toSorted((one, other) => other.line - one.line)[0] ?? null;
}

function compareTrees(before: SyntaxNode, after: SyntaxNode, symbols: ChangedSymbols): LineFault | null {
  const compare = new Comparison(symbols);
  return compare.lists(withoutImports(before), withoutImports(after), after) ? null : compare.fault;
}

function withoutImports(program: SyntaxNode): readonly SyntaxNode[] {
  return nodesIn(program["body"]).filter((statement) => !isImport(statement));
}

function isImport(statement: SyntaxNode): boolean {
  if (statement.type === "ImportDeclaration" || statement.type === "TSImportEqualsDeclaration") return true;
  const declared = nodesIn(statement["declarations"]);
  return declared.length > 0 && declared.every(({ init }) => isNode(init) && isLoading(init));
}

/** `require("…")`, `await import("…")`. */
function isLoading(node: SyntaxNode): boolean {
  const { argument, callee } = node;
  if (node.type === "AwaitExpression") return isNode(argument) && isLoading(argument);
  if (node.type === "ImportExpression") return true;
  return (
    node.type === "CallExpression" &&
    isNode(callee) &&
    (callee.type === "Import" || wordOf(callee) === "require")
  );
}

class Comparison {
  fault: LineFault = { line: 1, what: "it is a different program" };
  readonly #symbols: ChangedSymbols;

  constructor(symbols: ChangedSymbols) {
    this.#symbols = symbols;
  }

  lists(before: readonly unknown[], after: readonly unknown[], around: SyntaxNode): boolean {
    const same = before.findIndex((one, index) => !this.same(one, after[index], around));
    if (same !== -1) return false;
    const more = after[before.length];
    return more === undefined || this.#differs(isNode(more) ? more : around, "adds");
  }

  same(before: unknown, after: unknown, around: SyntaxNode): boolean {
    if (Array.isArray(before) && Array.isArray(after)) return this.lists(before, after, around);
    if (!isNode(before) || !isNode(after)) {
      if (before === after || isSameText(before, after)) return true;
      if (isNode(after)) return this.#differs(after, "adds");
      return this.#differs(around, isNode(before) ? "removes a part of" : "changes");
    }
    if (this.#renamed(before, after) || this.#isTypeOfSymbol(before, after)) return true;
    if (before.type !== after.type) return this.#differs(after, "replaces a part by");
    if (isLoading(after) && isLoading(before)) return true;
    if (this.#isCall(before, after)) return this.#arguments(before, after);
    const free = this.#freeFields(before);
    const names = new Set([...fieldsOf(before), ...fieldsOf(after)].map(([name]) => name));
    return [...names].every((name) => free.has(name) || this.same(before[name], after[name], after));
  }

  /** Whether a removed reference was replaced by an added one on the same object. */
  #renamed(before: SyntaxNode, after: SyntaxNode): boolean {
    const [was, now] = [referenceOf(before), referenceOf(after)];
    if (was === null || now === null) return false;
    const { removed, added } = this.#symbols;
    if (!removed.has(was) || !added.has(now)) return false;
    const [from, to] = [before["object"], after["object"]];
    return !isNode(from) || !isNode(to) || this.same(from, to, after);
  }

  /** Types of changed symbols may differ, since types have no effect at run time. */
  #isTypeOfSymbol(before: SyntaxNode, after: SyntaxNode): boolean {
    const isType = ({ type }: SyntaxNode) =>
      /^TS(?:TypeAnnotation|TypeParameterInstantiation|TypeReference)$/.test(type);
    return isType(before) && isType(after) && [before, after].some((one) => mentions(one, this.#symbols.all));
  }

  #isCall(before: SyntaxNode, after: SyntaxNode): boolean {
    if (!/^(?:Optional)?CallExpression$|^NewExpression$/.test(after.type)) return false;
    const names = [before, after].map(({ callee }) => (isNode(callee) ? referenceOf(callee) : null));
    return names.some((name) => name !== null && this.#symbols.all.has(name));
  }

  /** Arguments may be reordered, dropped, wrapped in objects or arrays, and mixed with literals and names. */
  #arguments(before: SyntaxNode, after: SyntaxNode): boolean {
    if (!this.same(before["callee"], after["callee"], after)) return false;
    const old = nodesIn(before["arguments"]);
    const isKnown = (one: SyntaxNode) =>
      old.some((other) => new Comparison(this.#symbols).same(other, one, after));
    const isPlain = (one: unknown): boolean => {
      if (!isNode(one)) return true;
      if (isKnown(one) || isAtom(one)) return true;
      const parts = nodesIn(one["properties"] ?? one["elements"]);
      if (one.type === "ObjectExpression")
        return parts.every(({ type, value }) => type === "ObjectProperty" && isPlain(value));
      return one.type === "ArrayExpression" && parts.every(isPlain);
    };
    const wrong = nodesIn(after["arguments"]).find((one) => !isPlain(one));
    return wrong === undefined || this.#differs(wrong, "computes a new argument by");
  }

  /** The fields of a function with a changed name that may differ: its parameters and types. */
  #freeFields(node: SyntaxNode): ReadonlySet<string> {
    const name = wordOf(node["id"] ?? node["key"]);
    const isFunction = Array.isArray(node["params"]);
    if (!isFunction || name === null || !this.#symbols.all.has(name)) return ignored;
    const params = nodesIn(node["params"]);
    const isSafe = params.every(
      ({ type, right }) => type !== "AssignmentPattern" || (isNode(right) && isAtom(right)),
    );
    return isSafe ? new Set([...ignored, "params", "returnType", "typeParameters"]) : ignored;
  }

  #differs(node: SyntaxNode, verb: string): false {
    const kind = node.type.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
    this.fault = { line: lineOf(node), what: `it ${verb} ${/^[aeiou]/.test(kind) ? "an" : "a"} ${kind}` };
    return false;
  }
}

/** The parts of a template literal's text are plain objects, not nodes. */
function isSameText(before: unknown, after: unknown): boolean {
  const isObject = (one: unknown) => typeof one === "object" && one !== null && !isNode(one);
  return isObject(before) && isObject(after) && JSON.stringify(before) === JSON.stringify(after);
}

/** `{ load }` equals `{ load: load }`. */
const ignored: ReadonlySet<string> = new Set(["shorthand"]);

/** `load`, and the `load` of `db.load`. */
function referenceOf(node: SyntaxNode): string | null {
  if (node.type === "Identifier" || node.type === "JSXIdentifier") return wordOf(node);
  const { object, property } = node;
  const isMember = /^(?:Optional)?MemberExpression$/.test(node.type) && node["computed"] !== true;
  return isMember && isNode(object) && isAtom(object) ? wordOf(property) : null;
}

/** An expression that computes nothing. */
function isAtom(node: SyntaxNode): boolean {
  if (/^(?:String|Numeric|Boolean|BigInt|Null)Literal$|^Identifier$|^ThisExpression$/.test(node.type))
    return true;
  const { object, argument } = node;
  if (node.type === "MemberExpression") return node["computed"] !== true && isNode(object) && isAtom(object);
  return node.type === "UnaryExpression" && node["operator"] === "-" && isNode(argument) && isAtom(argument);
}

function mentions(node: SyntaxNode, symbols: ReadonlySet<string>): boolean {
  const text = JSON.stringify(withoutPositions(node));
  return [...symbols].some((symbol) => text.includes(`"${symbol}"`));
}
