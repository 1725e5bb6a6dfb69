/** What a source file offers to others: each exported name with its signature, that is what a caller can notice of it. */
import { publicInterface } from "./interface.ts";
import { squeeze } from "./interface-text.ts";
import { languageOf } from "./code-text.ts";
import { bare, isNode, isScript, nodesIn, wordOf, type Parse, type SyntaxNode } from "./syntax.ts";

export interface Exported {
  /** Equal for what looks equal from outside: names of parameters, bodies and values are not in it. */
  readonly signature: string;
  /** As people read it. */
  readonly told: string;
}

export type Symbols = ReadonlyMap<string, Exported>;

/** Null where nothing can be said of a file of this kind. */
export function exportedSymbols(path: string, text: string, parse: Parse): Symbols | null {
  if (languageOf(path) !== null) return byText(path, text);
  if (!isScript(path)) return null;
  const program = parse(path, text);
  if (program === null) return null;
  const symbols = ofProgram(program, text);
  return symbols.size === 0 ? byText(path, text) : symbols;
}

/** Python, Go, Rust and CommonJS, by the rules for their texts. */
function byText(path: string, text: string): Symbols {
  const lines = publicInterface(path, text).map((line) => {
    const name = line.replace(/^(?:class|struct|enum|trait|type|const|static|mod|union|static) /, "");
    return [/^[^(\s]*/.exec(name)?.[0] ?? name, { signature: line, told: line }] as const;
  });
  return new Map(lines.filter(([name]) => name !== ""));
}

function ofProgram(program: SyntaxNode, text: string): Symbols {
  const body = nodesIn(program["body"]);
  const local = new Map(body.flatMap((statement) => declaredIn(unwrapped(statement))));
  const found = new Map<string, Exported>();
  const add = (name: string, declaration: SyntaxNode | null, otherwise: string) => {
    if (declaration === null) found.set(name, { signature: otherwise, told: name });
    else
      for (const [symbol, one] of describe(name, declaration, text))
        found.set(symbol, merged(found.get(symbol), one));
  };
  for (const statement of body) {
    switch (statement.type) {
      case "ExportNamedDeclaration": {
        const { declaration, source } = statement;
        if (isNode(declaration)) for (const [name, one] of declaredIn(declaration)) add(name, one, name);
        for (const specifier of nodesIn(statement["specifiers"])) {
          const name = wordOf(specifier["exported"]) ?? "";
          const own = wordOf(specifier["local"]) ?? "*";
          add(name, source == null ? (local.get(own) ?? null) : null, `${own} from ${wordOf(source) ?? ""}`);
        }
        break;
      }
      case "ExportDefaultDeclaration": {
        const { declaration } = statement;
        const named = local.get(wordOf(declaration) ?? "");
        add("default", named ?? (isNode(declaration) ? declaration : null), "default");
        break;
      }
      case "ExportAllDeclaration":
        found.set(`* from ${wordOf(statement["source"]) ?? ""}`, { signature: "*", told: "*" });
        break;
      case "TSExportAssignment":
        found.set("export =", { signature: JSON.stringify(bare(statement["expression"])), told: "export =" });
        break;
      default:
    }
  }
  return found;
}

/** Overloads are one symbol. */
function merged(before: Exported | undefined, one: Exported): Exported {
  return before === undefined ? one : { signature: `${before.signature}\n${one.signature}`, told: one.told };
}

function unwrapped(statement: SyntaxNode): SyntaxNode {
  const { declaration } = statement;
  return statement.type.startsWith("Export") && isNode(declaration) ? declaration : statement;
}

/** The names that a declaration makes, each with the part that says what it is. */
function declaredIn(declaration: SyntaxNode): readonly (readonly [string, SyntaxNode])[] {
  if (declaration.type !== "VariableDeclaration") {
    const name = wordOf(declaration["id"]);
    return name === null ? [] : [[name, declaration]];
  }
  return nodesIn(declaration["declarations"]).flatMap((one) =>
    boundIn(one["id"]).map((name) => [name, one] as const),
  );
}

function boundIn(pattern: unknown): readonly string[] {
  if (!isNode(pattern)) return [];
  const name = wordOf(pattern);
  if (name !== null) return [name];
  if (pattern.type === "ObjectPattern")
    return nodesIn(pattern["properties"]).flatMap((one) => boundIn(one["value"] ?? one["argument"]));
  if (pattern.type === "ArrayPattern") return nodesIn(pattern["elements"]).flatMap(boundIn);
  return boundIn(pattern["left"] ?? pattern["argument"]);
}

function describe(
  name: string,
  declaration: SyntaxNode,
  text: string,
): readonly (readonly [string, Exported])[] {
  const { init, id } = declaration;
  const value = declaration.type === "VariableDeclarator" && isNode(init) ? init : declaration;
  const annotation = isNode(id) ? bare(id["typeAnnotation"]) : undefined;
  if (isFunction(value)) {
    const one = functionOf(value, name, text);
    const typed = annotation === undefined ? "" : JSON.stringify(annotation);
    return [[name, { ...one, signature: `${one.signature}${typed}` }]];
  }
  if (value.type.startsWith("Class")) return classOf(value, name, text);
  if (declaration.type !== "VariableDeclarator")
    return [[name, { signature: JSON.stringify(bare(declaration)), told: headOf(declaration, text) }]];
  const keys = value.type === "ObjectExpression" && annotation === undefined ? membersOf(value, text) : [];
  return [
    [name, { signature: JSON.stringify(annotation ?? "value"), told: name }],
    ...keys.map(([key, one]) => [`${name}.${key}`, one] as const),
  ];
}

function isFunction({ type }: SyntaxNode): boolean {
  return /^(?:Function(?:Declaration|Expression)|ArrowFunctionExpression|TSDeclareFunction|(?:Class|Object)(?:Private)?Method|TSDeclareMethod)$/.test(
    type,
  );
}

function functionOf(node: SyntaxNode, name: string, text: string): Exported {
  const { typeParameters, returnType } = node;
  const flags = [node["async"] === true ? "async" : "", node["generator"] === true ? "*" : ""];
  const shape = [flags, bare(typeParameters), nodesIn(node["params"]).map(parameterOf), bare(returnType)];
  const params = nodesIn(node["params"]).map((one) => sliceOf(one, text));
  const returns = isNode(returnType) ? sliceOf(returnType, text) : "";
  return { signature: JSON.stringify(shape), told: `${name}(${params.join(", ")})${returns}` };
}

/** As a caller meets it: whether it may be left out, its type, and the keys that it takes apart. */
function parameterOf(node: SyntaxNode): unknown {
  switch (node.type) {
    case "AssignmentPattern": {
      const { left } = node;
      return { ...(isNode(left) ? (parameterOf(left) as object) : {}), optional: true };
    }
    case "RestElement":
      return { rest: true, type: bare(node["typeAnnotation"]) };
    case "TSParameterProperty": {
      const { parameter } = node;
      return isNode(parameter) ? parameterOf(parameter) : {};
    }
    case "ObjectPattern": {
      const keys = nodesIn(node["properties"]).map((one) => wordOf(one["key"]) ?? "...");
      return { keys: keys.toSorted(), type: bare(node["typeAnnotation"]) };
    }
    default:
      return { type: bare(node["typeAnnotation"]), ...(node["optional"] === true ? { optional: true } : {}) };
  }
}

function classOf(node: SyntaxNode, name: string, text: string): readonly (readonly [string, Exported])[] {
  const { superClass, body } = node;
  const parents = [bare(superClass), bare(node["typeParameters"]), bare(node["superTypeParameters"])];
  const members = isNode(body) ? membersOf(body, text) : [];
  return [
    [name, { signature: JSON.stringify(parents), told: `class ${name}` }],
    ...members.map(([key, one]) => [`${name}.${key}`, one] as const),
  ];
}

/** Of a class or an object; what is private is nobody's matter. */
function membersOf(node: SyntaxNode, text: string): readonly (readonly [string, Exported])[] {
  return nodesIn(node["body"] ?? node["properties"]).flatMap((member) => {
    const key = wordOf(member["key"]);
    if (key === null || member["accessibility"] === "private" || /Private/.test(member.type)) return [];
    const { value, kind } = member;
    const words = [member["static"] === true ? "static" : "", typeof kind === "string" ? kind : ""];
    const own = isFunction(member) ? member : isNode(value) && isFunction(value) ? value : null;
    const one =
      own === null
        ? {
            signature: JSON.stringify([bare(member["typeAnnotation"]), member["optional"] ?? false]),
            told: key,
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
