/** Reads the exports of a JavaScript or TypeScript module from its syntax tree; the only such reader. */
import { everyNode, isNode, nodesIn, wordOf, type Parse, type SyntaxNode } from "./syntax.ts";

export interface Export {
  /** `default` for the default export, and for the whole of `module.exports`. */
  readonly name: string;
  /** The node that defines it; null where another module does. */
  readonly declaration: SyntaxNode | null;
  /** Its name in the other module: `b from ./b.js`. */
  readonly origin: string;
}

export interface Exports {
  readonly format: "esm" | "cjs" | "none";
  /** Contains an overloaded function once per signature. */
  readonly list: readonly Export[];
  readonly names: ReadonlySet<string>;
  /** Modules re-exported by `export * from`. */
  readonly from: readonly string[];
}

/** Null where the text does not parse as the language of its extension. */
export function exportsOf(path: string, text: string, parse: Parse): Exports | null {
  const program = parse(path, text);
  if (program === null) return null;
  const body = nodesIn(program["body"]);
  const local = localNames(body);
  const isModule = body.some(({ type }) => /^(?:Import|Export|TSExport)/.test(type));
  const list = isModule ? body.flatMap((one) => exportedBy(one, local)) : assigned(program, local);
  const isCommon = !isModule && (list.length > 0 || mentionsExports(program));
  const from = body.flatMap((one) =>
    one.type === "ExportAllDeclaration" ? [wordOf(one["source"]) ?? ""] : [],
  );
  const names = new Set([...list.map(({ name }) => name), ...(isCommon ? ["default"] : [])]);
  return { format: isModule ? "esm" : isCommon ? "cjs" : "none", list, names, from };
}

/** Top-level declarations by name; all overloads of a function. */
type Local = ReadonlyMap<string, readonly SyntaxNode[]>;

function localNames(body: readonly SyntaxNode[]): Local {
  const found = new Map<string, SyntaxNode[]>();
  for (const statement of body) {
    const { declaration } = statement;
    const own = statement.type.startsWith("Export") && isNode(declaration) ? declaration : statement;
    for (const [name, one] of declaredIn(own)) found.set(name, [...(found.get(name) ?? []), one]);
  }
  return found;
}

function exportedBy(statement: SyntaxNode, local: Local): readonly Export[] {
  const { declaration, source } = statement;
  const own = (name: string, word: string, origin: string): readonly Export[] =>
    (local.get(word) ?? [null]).map((one) => ({ name, declaration: one, origin }));
  switch (statement.type) {
    case "ExportNamedDeclaration": {
      const declared = isNode(declaration) ? declaredIn(declaration) : [];
      const specified = nodesIn(statement["specifiers"]).flatMap((one) => {
        const name = wordOf(one["exported"]) ?? "";
        const word = wordOf(one["local"]) ?? "*";
        return source == null
          ? own(name, word, name)
          : [{ name, declaration: null, origin: `${word} from ${wordOf(source) ?? ""}` }];
      });
      return [...declared.map(([name, one]) => ({ name, declaration: one, origin: name })), ...specified];
    }
    case "ExportDefaultDeclaration": {
      const word = wordOf(declaration);
      if (word !== null && local.has(word)) return own("default", word, "default");
      return [{ name: "default", declaration: isNode(declaration) ? declaration : null, origin: "default" }];
    }
    case "TSExportAssignment": {
      const { expression } = statement;
      return [{ name: "export =", declaration: isNode(expression) ? expression : null, origin: "export =" }];
    }
    default:
      return [];
  }
}

/** `exports.a = …`, `module.exports.a = …`, `module.exports = { a, b: … }`, anywhere in the module. */
function assigned(program: SyntaxNode, local: Local): readonly Export[] {
  return everyNode(program).flatMap((node) => {
    const { left, right } = node;
    if (node.type !== "AssignmentExpression" || !isNode(left) || !isNode(right)) return [];
    const as = (name: string, value: SyntaxNode): readonly Export[] =>
      (local.get(wordOf(value) ?? "") ?? [valueOf(value)]).map((one) => ({
        name,
        declaration: one,
        origin: name,
      }));
    if (isWhole(left)) {
      if (right.type !== "ObjectExpression") return as("default", right);
      return nodesIn(right["properties"]).flatMap((one) => {
        const name = wordOf(one["key"]);
        const { value } = one;
        return name === null || one["computed"] === true ? [] : as(name, isNode(value) ? value : one);
      });
    }
    const name = memberName(left);
    return name !== null && (isWhole(left["object"]) || wordOf(left["object"]) === "exports")
      ? as(name, right)
      : [];
  });
}

/** The value as the declarator of a variable. */
function valueOf(init: SyntaxNode): SyntaxNode {
  return { type: "VariableDeclarator", init };
}

function isWhole(node: unknown): boolean {
  return isNode(node) && memberName(node) === "exports" && wordOf(node["object"]) === "module";
}

function memberName(node: SyntaxNode): string | null {
  return node.type === "MemberExpression" && node["computed"] !== true ? wordOf(node["property"]) : null;
}

/** Whether the code uses `exports` as a variable or as a member of `module`. */
function mentionsExports(program: SyntaxNode): boolean {
  return everyNode(program).some(
    (node) => isWhole(node) || (node.type === "Identifier" && node["name"] === "exports"),
  );
}

/** The names that a declaration binds, each with its defining node. */
function declaredIn(declaration: SyntaxNode): readonly (readonly [string, SyntaxNode])[] {
  if (declaration.type !== "VariableDeclaration") {
    const name = wordOf(declaration["id"]);
    return name === null ? [] : [[name, declaration]];
  }
  return nodesIn(declaration["declarations"]).flatMap((one) =>
    boundIn(one["id"]).map((name) => [name, one] as const),
  );
}

/** The names bound by a pattern: `{ a, b: [c] }`. */
export function boundIn(pattern: unknown): readonly string[] {
  if (!isNode(pattern)) return [];
  const name = wordOf(pattern);
  if (name !== null) return [name];
  if (pattern.type === "ObjectPattern")
    return nodesIn(pattern["properties"]).flatMap((one) => boundIn(one["value"] ?? one["argument"]));
  if (pattern.type === "ArrayPattern") return nodesIn(pattern["elements"]).flatMap(boundIn);
  return boundIn(pattern["left"] ?? pattern["argument"]);
}
