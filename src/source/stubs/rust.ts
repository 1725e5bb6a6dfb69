/**
 * Stubs for planned Rust modules: functions that take any arguments, have a result type that is comparable with everything,
 * and call `todo!()`. A type whose fields or methods a test uses cannot be guessed; such a test is refused as not compiling.
 */
import { readCode } from "../code-text.ts";
import { closing, type Script } from "../script.ts";
import type { Stub, StubFacts } from "./script.ts";

export interface RustFacts extends Pick<StubFacts, "tests" | "planned" | "read"> {
  /** Name by which tests import the crate; null where there is no Cargo.toml. */
  readonly crate: string | null;
}

/** Module path -> name -> its uses. */
type RequestedNames = Map<string, Map<string, Use>>;

/** The argument texts of each call. */
type Calls = readonly (readonly string[])[];

interface Use {
  readonly calls: Calls;
  /** `new` of `Cart::new(…)`. */
  readonly members: ReadonlyMap<string, Calls>;
}

export function rustStubs(facts: RustFacts): readonly Stub[] {
  if (facts.crate === null) return [];
  const requested: RequestedNames = new Map();
  for (const file of facts.tests) {
    const script = readCode(file.text, "rust");
    for (const { module, name } of uses(script, facts.crate)) {
      const names = requested.get(module) ?? new Map<string, Use>();
      requested.set(module, names.set(name, merged(names.get(name), useOf(script, name))));
    }
  }
  const stubs = [...requested].flatMap(([module, names]) => stubOf(module, names, facts) ?? []);
  return withDeclarations(stubs, facts);
}

function merged(one: Use | undefined, other: Use): Use {
  if (one === undefined) return other;
  const members = new Map(one.members);
  for (const [name, calls] of other.members) members.set(name, [...(members.get(name) ?? []), ...calls]);
  return { calls: [...one.calls, ...other.calls], members };
}

const usedPath = /\b(\w+)((?:::\w+)*)::(?:\{([^}]*)\}|(\w+))/g;

/** `use shop::cart::{total, Cart}`, `shop::cart::total(…)`. */
function uses(script: Script, crate: string): readonly { module: string; name: string }[] {
  return [...script.code.matchAll(usedPath)].flatMap(([, root, modules = "", list, last = ""]) => {
    if (root !== crate) return [];
    const module = modules.split("::").filter((part) => part !== "");
    const names = list === undefined ? [last] : list.split(",").map((part) => part.trim());
    // `shop::cart::Cart::new(…)` uses a member of Cart.
    const type = module.findIndex((part) => /^[A-Z]/.test(part));
    if (type >= 0) return [{ module: module.slice(0, type).join("/"), name: module[type] ?? "" }];
    return names
      .map((name) => name.replace(/\s+as\s+\w+$/, "").replace(/^.*::/, ""))
      .filter((name) => /^\w+$/.test(name) && name !== "self")
      .map((name) => ({ module: module.join("/"), name }));
  });
}

function useOf(script: Script, name: string): Use {
  const members = new Map<string, Calls>();
  for (const match of script.code.matchAll(/\b(\w+)::(\w+)\s*\(/g)) {
    const [whole, type, member = ""] = match;
    if (type !== name) continue;
    const call = argumentsAt(script.code, match.index + whole.length - 1);
    members.set(member, [...(members.get(member) ?? []), call]);
  }
  const calls = [...script.code.matchAll(/(?<![.\w])(\w+)\s*\(/g)].flatMap((match) =>
    match[1] === name ? [argumentsAt(script.code, match.index + match[0].length - 1)] : [],
  );
  return { members, calls };
}

function argumentsAt(code: string, open: number): readonly string[] {
  const found: string[] = [];
  let depth = 0;
  let current = "";
  for (const char of code.slice(open + 1, closing(code, open))) {
    if ("([{".includes(char)) depth++;
    if (")]}".includes(char)) depth--;
    if (char === "," && depth === 0) {
      found.push(current.trim());
      current = "";
    } else current += char;
  }
  return current.trim() === "" ? found : [...found, current.trim()];
}

/** A type for an argument that is sometimes empty and then has no inferable type; null where any type fits. */
function typeOf(texts: readonly string[]): string | null {
  const [shape] = shapes.filter(
    ({ pattern }) => texts.length > 0 && texts.every((text) => pattern.test(text)),
  );
  if (shape === undefined) return null;
  const inner =
    texts.map((text) => shape.pattern.exec(text)?.[1]?.trim() ?? "").find((text) => text !== "") ?? "1";
  const element = /^b?["']/.test(inner) ? "&'static str" : /^-?\d+\.\d/.test(inner) ? "f64" : "i32";
  return shape.type(element);
}

const shapes: readonly { readonly pattern: RegExp; readonly type: (element: string) => string }[] = [
  { pattern: /^&\[([\s\S]*)\]$/, type: (element) => `&[${element}]` },
  { pattern: /^&(?:vec!\[([\s\S]*)\]|Vec::new\(\))$/, type: (element) => `&[${element}]` },
  { pattern: /^(?:vec!\[([\s\S]*)\]|Vec::new\(\))$/, type: (element) => `Vec<${element}>` },
  { pattern: /^(?:None|Some\(([\s\S]*)\))$/, type: (element) => `Option<${element}>` },
];

/** Prefix of each item: a crate may deny missing documentation, and deny other warnings of stubs. */
const quiet = "/// Exists for this check only.\n#[allow(warnings)]\n";

const value = `
${quiet}#[derive(Debug, Clone, Copy)]
pub struct MettleStub;
#[allow(warnings)]
impl<T> PartialEq<T> for MettleStub {
    fn eq(&self, _: &T) -> bool {
        todo!()
    }
}
`;

function stubOf(module: string, names: ReadonlyMap<string, Use>, facts: RustFacts): Stub | null {
  const paths = module === "" ? ["src/lib.rs"] : [`src/${module}.rs`, `src/${module}/mod.rs`];
  const path = paths.find((one) => facts.planned.includes(one));
  if (path === undefined) return null;
  const text = facts.read(path);
  const known = declaredIn(text ?? "");
  const missing = [...names].filter(([name]) => !known.has(name));
  if (missing.length === 0) return null;
  const code = missing.map(([name, use]) => define(name, use)).join("\n");
  return {
    path,
    names: missing.map(([name]) => name),
    content: `${text === undefined ? "" : `${text}\n`}${head}${value}${code}`,
  };
}

/** Names of items, and names imported by `use`. */
function declaredIn(text: string): ReadonlySet<string> {
  const items = [
    ...text.matchAll(/\b(?:fn|struct|enum|trait|type|const|static|mod|macro_rules!)\s+(\w+)/g),
  ].map((match) => match[1] ?? "");
  const used = [...text.matchAll(/\buse\b([^;]*)/g)].flatMap((match) => (match[1] ?? "").match(/\w+/g) ?? []);
  return new Set([...items, ...used]);
}

const head = "// Written by Mettle for this check only: planned, not implemented yet.\n";

function define(name: string, { calls, members }: Use): string {
  if (!/^[A-Z]/.test(name)) return func(name, calls, name);
  if (calls.length === 0 && members.size === 0 && /^[A-Z][A-Z0-9_]+$/.test(name))
    return `${quiet}pub const ${name}: MettleStub = MettleStub;\n`;
  const inner = [...members].map(([member, own]) => `    ${func(member, own, `${name}::${member}`)}`);
  return `${quiet}#[derive(Debug, Clone, Copy)]\npub struct ${name};\n#[allow(warnings)]\nimpl ${name} {\n${inner.join("")}}\n`;
}

function func(name: string, calls: Calls, shown: string): string {
  const count = Math.max(0, ...calls.map((call) => call.length));
  const types = Array.from({ length: count }, (_none, at) => typeOf(calls.flatMap((call) => call[at] ?? [])));
  const generic = types.flatMap((type, at) => (type === null ? [`T${at}`] : []));
  const generics = generic.length === 0 ? "" : `<${generic.join(", ")}>`;
  const list = types.map((type, at) => `_: ${type ?? `T${at}`}`).join(", ");
  return `${quiet}pub fn ${name}${generics}(${list}) -> MettleStub { todo!("${shown}") }\n`;
}

/** A module exists for tests only if the crate's root declares it. */
function withDeclarations(stubs: readonly Stub[], facts: RustFacts): readonly Stub[] {
  const fresh = stubs.flatMap(({ path }) => /^src\/(\w+)(?:\.rs|\/mod\.rs)$/.exec(path)?.[1] ?? []);
  const own = stubs.find(({ path }) => path === "src/lib.rs");
  const text = own?.content ?? facts.read("src/lib.rs") ?? "";
  const modules = new Set([...text.matchAll(/\bmod\s+(\w+)/g)].map((match) => match[1] ?? ""));
  const missing = fresh.filter((name) => name !== "lib" && !modules.has(name));
  if (missing.length === 0) return stubs;
  const lines = missing.map((name) => `${quiet}pub mod ${name};\n`).join("");
  const root: Stub = {
    path: "src/lib.rs",
    names: [...(own?.names ?? []), ...missing],
    content: `${text}\n${own === undefined ? head : ""}${lines}`,
  };
  return [...stubs.filter((stub) => stub !== own), root];
}
