/** Which names of a test file are assertion functions of a known library. */
import { everyNode, isNode, nodesIn, wordOf, type SyntaxNode } from "../syntax.ts";

/** A function that asserts: `expect`, an `assert` with methods, or one of its methods imported by name. */
export type Asserter =
  | { readonly kind: "expect"; readonly chai: boolean }
  | { readonly kind: "assert" }
  | { readonly kind: "method"; readonly name: string };

/** Null for a name that is something else, or unknown. */
export type Bindings = (name: string) => Asserter | null;

const expectModules = /^(?:vitest|@jest\/globals|expect|bun:test|chai)$/;
const assertModules = /^(?:(?:node:)?assert(?:\/strict)?|chai|vitest|power-assert)$/;

/** A global `expect` or `assert` is that of the runner, or chai's where the file imports chai. */
export function bindingsOf(program: SyntaxNode): Bindings {
  const found = new Map<string, Asserter | null>();
  const modules = new Map<string, string>();
  let usesChai = false;
  for (const node of everyNode(program)) {
    for (const { local, name, from } of importedBy(node, modules)) {
      if (from === "chai") usesChai = true;
      if (local === null) continue;
      found.set(local, asserterOf(name, from));
      if (name === "*" || name === "default") modules.set(local, from);
    }
    for (const name of declaredBy(node)) if (!found.has(name)) found.set(name, null);
  }
  return (name) => {
    const known = found.get(name);
    if (known !== undefined) return known;
    if (name === "expect") return { kind: "expect", chai: usesChai };
    return name === "assert" ? { kind: "assert" } : null;
  };
}

function asserterOf(name: string, from: string): Asserter | null {
  if (name === "expect" || (from === "expect" && name === "default"))
    return expectModules.test(from) ? { kind: "expect", chai: from === "chai" } : null;
  if (!assertModules.test(from)) return null;
  if (["default", "*", "assert", "strict"].includes(name))
    return from === "chai" && name === "default" ? null : { kind: "assert" };
  return from === "vitest" ? null : { kind: "method", name };
}

interface ImportedAs {
  readonly local: string | null;
  /** `default` or `*` for the whole module. */
  readonly name: string;
  readonly from: string;
}

/** @param modules local name -> module of the imports before this node */
function importedBy(node: SyntaxNode, modules: ReadonlyMap<string, string>): readonly ImportedAs[] {
  if (node.type === "ImportDeclaration") {
    const from = String(isNode(node["source"]) ? node["source"]["value"] : "");
    const all = nodesIn(node["specifiers"]).map((one) => ({
      local: wordOf(one["local"]),
      name:
        { ImportDefaultSpecifier: "default", ImportNamespaceSpecifier: "*" }[one.type] ??
        wordOf(one["imported"]) ??
        "",
      from,
    }));
    return all.length === 0 ? [{ local: null, name: "*", from }] : all;
  }
  if (node.type !== "VariableDeclarator" || !isNode(node["init"])) return [];
  const init = required(node["init"], modules);
  if (init === null || !isNode(node["id"])) return [];
  const local = wordOf(node["id"]);
  if (local !== null) return [{ local, ...init }];
  return nodesIn(node["id"]["properties"]).map((property) => ({
    local: wordOf(property["value"]),
    name: wordOf(property["key"]) ?? "",
    from: init.from,
  }));
}

/** `require("x")`, `x.name` of an imported module, and `import.meta.vitest`. */
function required(
  init: SyntaxNode,
  modules: ReadonlyMap<string, string>,
): { readonly name: string; readonly from: string } | null {
  const known = modules.get(wordOf(init) ?? "");
  if (known !== undefined) return { name: "*", from: known };
  if (init.type === "MemberExpression" && isNode(init["object"])) {
    if (init["object"].type === "MetaProperty") return { name: "*", from: wordOf(init["property"]) ?? "" };
    const whole = required(init["object"], modules);
    return whole === null ? null : { name: wordOf(init["property"]) ?? "", from: whole.from };
  }
  const [from] = nodesIn(init["arguments"]);
  if (
    init.type !== "CallExpression" ||
    wordOf(init["callee"]) !== "require" ||
    from?.type !== "StringLiteral"
  )
    return null;
  return { name: "*", from: String(from["value"]) };
}

/** Other declarations of the names that matter here. */
function declaredBy(node: SyntaxNode): readonly string[] {
  const isDeclaration = /^(?:VariableDeclarator|FunctionDeclaration|ClassDeclaration)$/.test(node.type);
  const name = isDeclaration ? wordOf(node["id"]) : null;
  return name === null ? [] : [name];
}
