/** JavaScript and TypeScript as syntax trees. The parser is large and loaded on first use. */

export interface SyntaxNode {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** The program of a file; null where it is not JavaScript or TypeScript, or does not parse. */
export type Parse = (path: string, text: string) => SyntaxNode | null;

export async function loadParser(): Promise<Parse> {
  const parseFile = await loadFileParser();
  return (path, text) => parseFile(path, text)?.program ?? null;
}

/** The whole file, as tools of Babel take it. */
export interface SyntaxFile extends SyntaxNode {
  readonly program: SyntaxNode;
}

export async function loadFileParser(): Promise<(path: string, text: string) => SyntaxFile | null> {
  const loaded = await import("@babel/parser");
  // A CommonJS module: when bundled, all of its exports are in its default.
  const { parse } = "default" in loaded ? (loaded.default as typeof loaded) : loaded;
  return (path, text) => {
    const plugins = pluginsFor(path);
    if (plugins === null) return null;
    const isFlow = /@flow\b/.test(text) && !plugins.includes("typescript");
    try {
      const file = parse(text, {
        sourceType: "unambiguous",
        allowReturnOutsideFunction: true,
        allowUndeclaredExports: true,
        attachComment: false,
        plugins: [...plugins, ...(isFlow ? (["flow"] as const) : []), "decorators-legacy"],
      });
      return file as unknown as SyntaxFile;
    } catch {
      return null; // syntax error
    }
  };
}

export function isScript(path: string): boolean {
  return pluginsFor(path) !== null;
}

function pluginsFor(path: string): readonly ("typescript" | "jsx")[] | null {
  const ending = /\.([cm]?[jt]sx?)$/.exec(path)?.[1];
  if (ending === undefined) return null;
  if (ending === "tsx") return ["typescript", "jsx"];
  return ending.includes("ts") ? ["typescript"] : ["jsx"];
}

export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && typeof Reflect.get(value, "type") === "string";
}

/** The nodes in a list field. */
export function nodesIn(value: unknown): readonly SyntaxNode[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/** The name of an identifier or the text of a literal; null for other nodes. */
export function wordOf(value: unknown): string | null {
  if (!isNode(value)) return null;
  if (value.type === "Identifier" || value.type === "JSXIdentifier") return String(value["name"]);
  return value.type === "StringLiteral" || value.type === "NumericLiteral" ? String(value["value"]) : null;
}

/** Indices of its first character and after its last one. */
export function rangeOf(node: SyntaxNode): { readonly start: number; readonly end: number } {
  return { start: Number(node["start"]), end: Number(node["end"]) };
}

export function lineOf({ loc }: SyntaxNode): number {
  return (loc as { readonly start?: { readonly line?: number } } | undefined)?.start?.line ?? 1;
}

/** Fields for positions and formatting, which do not affect the program. */
const ignoredFields: ReadonlySet<string> = new Set([
  "start",
  "end",
  "loc",
  "range",
  "extra",
  "errors",
  "leadingComments",
  "innerComments",
  "trailingComments",
]);

/** The fields that define the program. */
export function fieldsOf(node: SyntaxNode): readonly (readonly [string, unknown])[] {
  return Object.entries(node).filter(
    ([name, value]) => name !== "type" && !ignoredFields.has(name) && value !== undefined && value !== null,
  );
}

/** The tree without positions, so that equal code gives equal values. */
export function withoutPositions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPositions);
  if (!isNode(value)) return value;
  return {
    type: value.type,
    ...Object.fromEntries(fieldsOf(value).map(([name, field]) => [name, withoutPositions(field)])),
  };
}

/** A node and all its descendants, without names of members and keys. */
export function everyNode(node: SyntaxNode): readonly SyntaxNode[] {
  const found = [node];
  for (const one of found)
    for (const [field, value] of fieldsOf(one)) {
      const isName = field === "property" || field === "key" || field === "label";
      if (isNode(value)) {
        if (!isName || one["computed"] === true) found.push(value);
      } else found.push(...nodesIn(value));
    }
  return found;
}
