/**
 * Stubs for modules that tests import and the plan names, but that do not exist yet (CORE-23). A stub exports every
 * requested name, and each throws `not implemented: <name>`: when it is called or, where a test file calls it while loading,
 * when its result is used. Stubs exist in the check's checkout only.
 */
import { exportsOf, type Exports } from "../exports.ts";
import { importsOf, type Import, type ImportedName } from "../imports.ts";
import { candidates } from "../module-paths.ts";
import { readScript } from "../script.ts";
import type { Parse } from "../syntax.ts";

export interface StubFacts {
  /** Test files and their helpers. */
  readonly tests: readonly { readonly path: string; readonly text: string }[];
  /** Paths of the architecture's File Structure, without `./`. */
  readonly planned: readonly string[];
  /** Content of a file of the commit; undefined where there is none. */
  read(path: string): string | undefined;
  /** The `type` of the package.json that applies to a path. */
  packageType(path: string): "module" | "commonjs";
  /** Whether the runner transforms `import`, as vitest does, so that `.js` may be ESM. */
  readonly transforms: boolean;
  readonly parse: Parse;
  /** Whether an unplanned file re-exports a planned one, as a package's index does. */
  readonly passesOn?: (path: string) => boolean;
  /** A call returns an object that throws when it is used, so that the file loads and its tests fail. */
  readonly late?: boolean;
}

export interface Stub {
  readonly path: string;
  readonly names: readonly string[];
  /** The complete new content of the file. */
  readonly content: string;
}

export function stubsFor(facts: StubFacts): readonly Stub[] {
  const planned = new Set(facts.planned);
  const requested = new Map<string, Import[]>();
  for (const file of facts.tests) {
    for (const one of importsOf(readScript(file.text))) {
      const targets = one.from.startsWith(".")
        ? candidates(file.path, one.from)
        : plannedByAlias(one.from, facts.planned);
      const target =
        targets.find((path) => facts.read(path) !== undefined) ?? targets.find((path) => planned.has(path));
      if (target === undefined || !/\.[cm]?[jt]sx?$/.test(target)) continue;
      if (planned.has(target) || facts.passesOn?.(target) === true)
        requested.set(target, [...(requested.get(target) ?? []), one]);
    }
  }
  return [...requested].flatMap(([path, imports]) => stubOf(path, imports, facts) ?? []);
}

/** `#shop/add.js`, `@/add`: the only planned file that an import map or an alias of a bundler may mean. */
function plannedByAlias(from: string, planned: readonly string[]): readonly string[] {
  const name = /^(?:[#@~][^/]*\/|#)(.+)$/u.exec(from)?.[1];
  if (name === undefined) return [];
  const endings = candidates("", name);
  const found = planned.filter((path) => endings.some((end) => `/${path}`.endsWith(`/${end}`)));
  return found.length === 1 ? found : [];
}

function stubOf(path: string, imports: readonly Import[], facts: StubFacts): Stub | null {
  const text = facts.read(path);
  const requested = merge(imports.flatMap((one) => one.names));
  const late = facts.late ?? false;
  const typed = /\.[cm]?tsx?$/.test(path);
  const end = late ? later(typed) : "";
  if (text === undefined) {
    const format = formatFor(path, imports, facts);
    const content = head + code(requested, { format, late, typed }) + end;
    return { path, names: requested.map((one) => one.name), content };
  }
  const known = knownNames(path, facts, 0);
  const format = exportsOf(path, text, facts.parse)?.format ?? "none";
  const missing =
    known === null ? [] : requestedNames(requested, format).filter((one) => !known.has(one.name));
  if (missing.length === 0) return null;
  const style = { late, typed };
  const added = code(
    missing,
    format === "cjs" ? { ...style, format, only: true } : { ...style, format: "esm" },
  );
  const content = `${text}\n${head}${added}${end}`;
  return { path, names: missing.map((one) => one.name), content };
}

/** Members read from a CommonJS module are its names: `utils.total` for `const utils = require(…)`. */
function requestedNames(
  requested: readonly ImportedName[],
  format: Exports["format"],
): readonly ImportedName[] {
  if (format !== "cjs") return requested;
  const read = requested.find(({ name }) => name === "default")?.members ?? [];
  return merge([...requested, ...read.filter(isOwn).map((name) => ({ name, members: [] }))]);
}

const head = "// Written by Mettle for this check only: planned, not implemented yet.\n";

/** Code of a value that calls `no` wherever it is used. */
export const unusable =
  "new Proxy(function () {}, { get: no, set: no, has: no, apply: no, construct: no, ownKeys: no })";

/** A hoisted function, so that it may come last. */
const later = (typed: boolean): string => `function mettleLater(name${typed ? ": string): any" : ")"} {
  const no = () => { throw new Error("not implemented: " + name); };
  return ${unusable};
}
`;

interface Style {
  readonly format: "esm" | "cjs";
  readonly late: boolean;
  /** TypeScript: stubs have type `any`, so that a transform that checks types lets the tests run. */
  readonly typed: boolean;
  /** Adds to the names that exist at run time and replaces none of them. */
  readonly only?: boolean;
}

function code(names: readonly ImportedName[], style: Style): string {
  const { format, late, only = false } = style;
  const whole = names.find((one) => one.name === "default");
  const rest = names.filter((one) => one !== whole);
  const lines: string[] = [];
  if (format === "esm") {
    for (const one of rest) lines.push(...esmExport(one, style));
    if (whole)
      lines.push(
        ...declared("mettleDefault", "default", style),
        ...members(whole, "mettleDefault", late),
        "export { mettleDefault as default };",
      );
    if (lines.length === 0) lines.push("export {};");
    return `${lines.join("\n")}\n`;
  }
  if (whole && !only)
    lines.push(
      func("mettleDefault", "default", late),
      ...members(whole, "mettleDefault", late),
      "module.exports = mettleDefault;",
    );
  for (const one of rest) {
    const target = `module.exports.${one.name}`;
    const stub = [
      `${target} = ${func(reserved.has(one.name) ? "" : one.name, one.name, late)};`,
      ...members(one, target, late),
    ];
    // A name that the module creates at run time is not in its text and must not be replaced.
    if (only) lines.push(`if (!("${one.name}" in Object(module.exports))) {`, ...stub, "}");
    else lines.push(...stub);
  }
  return `${lines.join("\n")}\n`;
}

function esmExport(one: ImportedName, style: Style): readonly string[] {
  const { name } = one;
  const { late } = style;
  if (!reserved.has(name))
    return [...declared(name, name, style).map((line) => `export ${line}`), ...members(one, name, late)];
  const own = `mettle_${name}`;
  return [...declared(own, name, style), ...members(one, own, late), `export { ${own} as ${name} };`];
}

/** A planned class may be a value and a type. */
function declared(name: string, shown: string, { late, typed }: Style): readonly string[] {
  if (!typed) return [func(name, shown, late)];
  return [`const ${name}: any = ${func("", shown, late)};`, `type ${name} = any;`];
}

/** Words that may be exported but not declared. */
const reserved = new Set(
  "await break case catch class const continue debugger delete do else enum export extends false finally for function if import in instanceof let new null return static super switch this throw true try typeof var void while with yield".split(
    " ",
  ),
);

function func(name: string, shown: string, late: boolean): string {
  return `function ${name}() { ${body(shown, late)} }`;
}

function body(shown: string, late: boolean): string {
  return late ? `return mettleLater("${shown}");` : `throw new Error("not implemented: ${shown}");`;
}

/** Properties of every function; they are not replaced. */
const builtIn = new Set(["name", "length", "prototype", "call", "apply", "bind", "toString", "constructor"]);

function isOwn(name: string): boolean {
  return !builtIn.has(name);
}

function members(one: ImportedName, target: string, late: boolean): readonly string[] {
  const shown = one.name === "default" ? "" : `${one.name}.`;
  return one.members
    .filter(isOwn)
    .map((name) => `Object.assign(${target}, { ${name}() { ${body(`${shown}${name}`, late)} } });`);
}

function merge(names: readonly ImportedName[]): readonly ImportedName[] {
  const found = new Map<string, Set<string>>();
  for (const one of names) {
    const members = found.get(one.name) ?? new Set<string>();
    for (const member of one.members) members.add(member);
    found.set(one.name, members);
  }
  return [...found].map(([name, members]) => ({ name, members: [...members] }));
}

function formatFor(path: string, imports: readonly Import[], facts: StubFacts): "esm" | "cjs" {
  if (/\.c[jt]s$/.test(path)) return "cjs";
  if (!/\.jsx?$/.test(path) || facts.packageType(path) === "module") return "esm";
  return imports.some((one) => one.style === "require") || !facts.transforms ? "cjs" : "esm";
}

/** All exported names of a module, following `export *`; null when the commit's files do not determine them. */
function knownNames(path: string, facts: StubFacts, depth: number): ReadonlySet<string> | null {
  const text = facts.read(path);
  if (text === undefined || depth > 8) return null;
  const exports = exportsOf(path, text, facts.parse);
  if (exports === null) return null;
  const all = new Set(exports.names);
  for (const one of exports.from) {
    const target = one.startsWith(".")
      ? candidates(path, one).find((other) => facts.read(other) !== undefined)
      : undefined;
    const passedOn = target === undefined ? null : knownNames(target, facts, depth + 1);
    if (passedOn === null) return null;
    for (const name of passedOn) if (name !== "default") all.add(name);
  }
  return all;
}
