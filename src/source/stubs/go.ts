/**
 * Stubs for planned Go files: functions that take any arguments, return `interface{}` and panic. A type whose fields or
 * methods a test uses cannot be guessed; such a test is refused as not compiling.
 */
import { readCode } from "../code-text.ts";
import { closing, type Script } from "../script.ts";
import type { Stub, StubFacts } from "./script.ts";

export interface GoFacts extends Pick<StubFacts, "tests" | "planned" | "read"> {
  /** Module path in go.mod; null where there is none. */
  readonly module: string | null;
  /** Go files of a folder in the commit. */
  filesIn(folder: string): readonly string[];
}

export function goStubs(facts: GoFacts): readonly Stub[] {
  const stubs = new Map<string, Map<string, string>>();
  for (const file of facts.tests) {
    const script = readCode(file.text, "go");
    const folder = folderOf(file.path);
    const own = /^package\s+(\w+)/m.exec(script.code)?.[1] ?? "";
    if (!own.endsWith("_test")) add(stubs, folder, inside(script, folder, facts));
    for (const { path, local } of imports(script, file.text)) {
      const target = folderOfPackage(path, facts);
      if (target !== null) add(stubs, target, outside(script, local));
    }
  }
  return [...stubs].flatMap(([folder, wanted]) => stubOf(folder, wanted, facts) ?? []);
}

function add(
  stubs: Map<string, Map<string, string>>,
  folder: string,
  found: ReadonlyMap<string, string>,
): void {
  stubs.set(folder, new Map([...(stubs.get(folder) ?? []), ...found]));
}

export function folderOf(path: string): string {
  return path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
}

function folderOfPackage(path: string, { module }: GoFacts): string | null {
  if (module === null) return null;
  if (path === module) return "";
  return path.startsWith(`${module}/`) ? path.slice(module.length + 1) : null;
}

function imports(script: Script, text: string): readonly { path: string; local: string }[] {
  const clause = /^import\s*\(([^)]*)\)|^import\s+[^\n]+/gm;
  return [...script.code.matchAll(clause)].flatMap((match) => {
    const written = text.slice(match.index, match.index + match[0].length);
    return [...written.matchAll(/(?:(\w+)\s+)?"([^"]+)"/g)].map((one) => {
      const path = one[2] ?? "";
      const named = one[1] === "import" ? undefined : one[1];
      return { path, local: named ?? path.split("/").at(-1) ?? "" };
    });
  });
}

/** `cart.Total(…)` and `cart.Cart{…}`. */
function outside(script: Script, local: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const match of script.code.matchAll(/(?<![\w.])(\w+)\s*\.\s*([A-Z]\w*)\s*([({]?)/g)) {
    const [, from, name = "", open = ""] = match;
    if (from === local) found.set(name, define(script, name, { at: match.index, open }));
  }
  return found;
}

const builtIn = new Set(
  "import const var type struct interface map chan append cap close complex copy delete imag len make new panic print println real recover clear min max func if for switch select return go defer range string byte rune int int8 int16 int32 int64 uint uint8 uint16 uint32 uint64 float32 float64 bool error any".split(
    " ",
  ),
);

/** Calls of functions that no file of the package declares. */
function inside(script: Script, folder: string, facts: GoFacts): ReadonlyMap<string, string> {
  const texts = facts.filesIn(folder).map((path) => facts.read(path) ?? "");
  const known = declaredIn([script.code, ...texts].join("\n"));
  const found = new Map<string, string>();
  for (const match of script.code.matchAll(/(?<![\w.])([A-Za-z_]\w*)\s*\(/g)) {
    const name = match[1] ?? "";
    if (!builtIn.has(name) && !known.has(name))
      found.set(name, define(script, name, { at: match.index, open: "(" }));
  }
  return found;
}

/** Names of functions, methods, types, variables and function parameters. */
function declaredIn(code: string): ReadonlySet<string> {
  const words = [...code.matchAll(/\b(?:func(?:\s*\([^)]*\))?|type|var|const)\s+(\w+)|\b(\w+)\s+func\(/g)];
  const assigned = code.split("\n").flatMap((line) => {
    const before = line.split(":=").slice(0, -1);
    return before.flatMap((part) => (/[\w\s,]*$/.exec(part)?.[0] ?? "").match(/\w+/g) ?? []);
  });
  return new Set([...words.map((match) => match[1] ?? match[2] ?? ""), ...assigned]);
}

/** The text left of a call shows the number of expected results. */
function define(script: Script, name: string, { at, open }: { at: number; open: string }): string {
  const line = script.code.slice(script.code.lastIndexOf("\n", at) + 1, at);
  const body = `{\n\tpanic("not implemented: ${name}")\n}\n`;
  if (open === "{" || /(?:\*|\[\]|var\s+\w+\s+)$/.test(line)) return `type ${name} struct{}\n`;
  if (open === "") return `var ${name} interface{}\n`;
  const before = /([\w, ]+?)\s*:?=\s*$/.exec(line)?.[1] ?? "";
  const targets = before.split(",").map((one) => one.trim().replace(/^(?:if|var|switch)\s+/, ""));
  const isStatement =
    /^\s*$/.test(line) &&
    /^\s*(?:\n|$)/.test(script.code.slice(closing(script.code, script.code.indexOf("(", at)) + 1));
  const types = isStatement ? [] : targets.map(typeOf);
  return `func ${name}(_ ...interface{}) ${types.length === 1 ? (types[0] ?? "") : `(${types.join(", ")})`} ${body}`;
}

/** Go's conventional names for an error and for the second result of a lookup. */
function typeOf(target: string): string {
  if (/^(?:err|e)$/.test(target)) return "error";
  return target === "ok" ? "bool" : "interface{}"; // `any` requires Go 1.18, and go.mod may name an older version
}

function stubOf(folder: string, wanted: ReadonlyMap<string, string>, facts: GoFacts): Stub | null {
  const path = facts.planned.find(
    (one) => one.endsWith(".go") && !one.endsWith("_test.go") && folderOf(one) === folder,
  );
  if (path === undefined || wanted.size === 0) return null;
  const files = facts.filesIn(folder).filter((one) => !one.endsWith("_test.go"));
  const texts = files.map((one) => facts.read(one) ?? "");
  const declared = texts.join("\n");
  const known = new Set(
    [...declared.matchAll(/^(?:(?:func|type|var|const)\s+|\t)(\w+)/gm)].map((match) => match[1] ?? ""),
  );
  const missing = [...wanted].filter(([name]) => !known.has(name));
  if (missing.length === 0) return null;
  const own = facts.read(path);
  const named = /^package\s+(\w+)/m.exec(declared)?.[1];
  const tested = facts.tests
    .filter((file) => folderOf(file.path) === folder)
    .map((file) => /^package\s+(\w+?)(?:_test)?\s*$/m.exec(file.text)?.[1]);
  const last = (folder.split("/").at(-1) ?? "").replace(/\W/g, "");
  const clause = `package ${named ?? tested[0] ?? (last === "" ? "main" : last)}\n`;
  const code = missing.map(([, text]) => text).join("\n");
  return {
    path,
    names: missing.map(([name]) => name),
    content: `${own ?? clause}\n// Written by Mettle for this check only: planned, not implemented yet.\n\n${code}`,
  };
}
