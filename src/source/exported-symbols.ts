/** The exported symbols of a source file with their signatures, that is, what callers depend on. */
import { exportsOf } from "./exports.ts";
import { publicNames } from "./interface-languages.ts";
import { codeOf } from "./code-size.ts";
import { squeeze } from "./interface-text.ts";
import { languageOf } from "./code-text.ts";
import { withoutPositions, isNode, nodesIn, wordOf, type Parse, type SyntaxNode } from "./syntax.ts";

export interface ExportedSymbol {
  /** Equal for symbols that look the same to callers: excludes parameter names, bodies and values. */
  readonly signature: string;
  /** The signature for display. */
  readonly display: string;
}

export type Symbols = ReadonlyMap<string, ExportedSymbol>;

/** Null for a file whose exports cannot be analysed. */
export function exportedSymbols(path: string, text: string, parse: Parse): Symbols | null {
  const language = languageOf(path);
  if (language !== null) return byText(publicNames(language, codeOf(path, text)));
  const exports = exportsOf(path, text, parse);
  if (exports === null) return null;
  const found = new Map<string, ExportedSymbol>();
  for (const { name, declaration, origin } of exports.list) {
    if (declaration === null) found.set(name, { signature: origin, display: name });
    else
      for (const [symbol, one] of describe(name, declaration, text))
        found.set(symbol, mergeOverloads(found.get(symbol), one));
  }
  for (const module of exports.from)
    found.set(`* from ${module}`, { signature: "*", display: `* from ${module}` });
  return found;
}

/** Symbols of Python, Go and Rust, read by the rules for their texts. */
function byText(names: readonly string[]): Symbols {
  const lines = names.map((line) => {
    const name = line.replace(/^(?:class|struct|enum|trait|type|const|static|mod|union|static) /, "");
    return [/^[^(\s]*/.exec(name)?.[0] ?? name, { signature: line, display: line }] as const;
  });
  return new Map(lines.filter(([name]) => name !== ""));
}

/** Overloads count as one symbol. */
function mergeOverloads(before: ExportedSymbol | undefined, one: ExportedSymbol): ExportedSymbol {
  return before === undefined
    ? one
    : { signature: `${before.signature}\n${one.signature}`, display: one.display };
}

function describe(
  name: string,
  declaration: SyntaxNode,
  text: string,
): readonly (readonly [string, ExportedSymbol])[] {
  const { init, id } = declaration;
  const value = declaration.type === "VariableDeclarator" && isNode(init) ? init : declaration;
  const annotation = isNode(id) ? withoutPositions(id["typeAnnotation"]) : undefined;
  if (isFunction(value)) {
    const one = functionOf(value, name, text);
    const typed = annotation === undefined ? "" : JSON.stringify(annotation);
    return [[name, { ...one, signature: `${one.signature}${typed}` }]];
  }
  if (value.type.startsWith("Class")) return classOf(value, name, text);
  if (declaration.type !== "VariableDeclarator")
    return [
      [
        name,
        { signature: JSON.stringify(withoutPositions(declaration)), display: headOf(declaration, text) },
      ],
    ];
  const keys = value.type === "ObjectExpression" && annotation === undefined ? membersOf(value, text) : [];
  return [
    [name, { signature: JSON.stringify(annotation ?? "value"), display: name }],
    ...keys.map(([key, one]) => memberOf(name, key, one)),
  ];
}

function memberOf(name: string, key: string, one: ExportedSymbol): readonly [string, ExportedSymbol] {
  return [`${name}.${key}`, { ...one, display: `${name}.${one.display}` }];
}

function isFunction({ type }: SyntaxNode): boolean {
  return /^(?:Function(?:Declaration|Expression)|ArrowFunctionExpression|TSDeclareFunction|(?:Class|Object)(?:Private)?Method|TSDeclareMethod)$/.test(
    type,
  );
}

function functionOf(node: SyntaxNode, name: string, text: string): ExportedSymbol {
  const { typeParameters, returnType } = node;
  const flags = [node["async"] === true ? "async" : "", node["generator"] === true ? "*" : ""];
  const shape = [
    flags,
    withoutPositions(typeParameters),
    nodesIn(node["params"]).map(parameterOf),
    withoutPositions(returnType),
  ];
  const params = nodesIn(node["params"]).map((one) => sliceOf(one, text));
  const returns = isNode(returnType) ? sliceOf(returnType, text) : "";
  return { signature: JSON.stringify(shape), display: `${name}(${params.join(", ")})${returns}` };
}

/** What a caller sees of a parameter: whether it is optional, its type, and its destructured keys. */
function parameterOf(node: SyntaxNode): unknown {
  switch (node.type) {
    case "AssignmentPattern": {
      const { left } = node;
      return { ...(isNode(left) ? (parameterOf(left) as object) : {}), optional: true };
    }
    case "RestElement":
      return { rest: true, type: withoutPositions(node["typeAnnotation"]) };
    case "TSParameterProperty": {
      const { parameter } = node;
      return isNode(parameter) ? parameterOf(parameter) : {};
    }
    case "ObjectPattern": {
      const keys = nodesIn(node["properties"]).map((one) => wordOf(one["key"]) ?? "...");
      return { keys: keys.toSorted(), type: withoutPositions(node["typeAnnotation"]) };
    }
    default:
      return {
        type: withoutPositions(node["typeAnnotation"]),
        ...(node["optional"] === true ? { optional: true } : {}),
      };
  }
}

function classOf(
  node: SyntaxNode,
  name: string,
  text: string,
): readonly (readonly [string, ExportedSymbol])[] {
  const { superClass, body } = node;
  const parents = [
    withoutPositions(superClass),
    withoutPositions(node["typeParameters"]),
    withoutPositions(node["superTypeParameters"]),
  ];
  const members = isNode(body) ? membersOf(body, text) : [];
  return [
    [name, { signature: JSON.stringify(parents), display: `class ${name}` }],
    ...members.map(([key, one]) => memberOf(name, key, one)),
  ];
}

/** The public members of a class or an object. */
function membersOf(node: SyntaxNode, text: string): readonly (readonly [string, ExportedSymbol])[] {
  return nodesIn(node["body"] ?? node["properties"]).flatMap((member) => {
    const key = wordOf(member["key"]);
    if (key === null || member["accessibility"] === "private" || /Private/.test(member.type)) return [];
    const { value, kind } = member;
    const words = [member["static"] === true ? "static" : "", typeof kind === "string" ? kind : ""];
    const own = isFunction(member) ? member : isNode(value) && isFunction(value) ? value : null;
    const one =
      own === null
        ? {
            signature: JSON.stringify([
              withoutPositions(member["typeAnnotation"]),
              member["optional"] ?? false,
            ]),
            display: key,
          }
        : functionOf(own, key, text);
    return [[key, { ...one, signature: `${words.join(" ")} ${one.signature}` }] as const];
  });
}

function headOf(node: SyntaxNode, text: string): string {
  return squeeze(sliceOf(node, text)).slice(0, 120);
}

function sliceOf(node: SyntaxNode, text: string): string {
  return squeeze(text.slice(Number(node["start"]), Number(node["end"])));
}
