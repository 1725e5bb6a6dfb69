/**
 * Rewrites a JavaScript or TypeScript file so that every call from a test, and every use of a missing member, throws the marker or
 * gets the answer of a null stub.
 * While modules load it works as usual, so that files that use it at their top level still load.
 */
import { boundIn, exportsOf } from "../../source/exports.ts";
import { unusable } from "../../source/stubs/script.ts";
import { isNode, nodesIn, wordOf, type Parse, type SyntaxNode } from "../../source/syntax.ts";
import { applyEdits, type Edit } from "../../source/text-edits.ts";

export interface RewriteRequest {
  readonly path: string;
  /** Its text in the checkout. */
  readonly text: string;
  readonly answer: Answer;
  /** False for a file that only re-exports other modules: its existing members are unchanged. */
  readonly whole: boolean;
  readonly parse: Parse;
}

/** How a rewritten unit answers a call from a test. */
export type Answer =
  /** It throws a marker with a random word, which distinguishes it from one of the test. */
  | { readonly how: "throw"; readonly mark: string }
  /**
   * As the null stub of the calling test file, by the file's name; for other files as usual. A call whose test file nothing shows
   * works as usual, too, and leaves a file at `unknown`.
   */
  | {
      readonly how: "by file";
      readonly stubs: Readonly<Record<string, NullStub>>;
      /** Names of the test files without a stub. */
      readonly others: readonly string[];
      readonly unknown: string;
    }
  /** In test files of these names, also while they load: what it returns throws the marker wherever it is used. */
  | { readonly how: "late"; readonly files: readonly string[]; readonly mark: string };

/** A unit that does no work: it returns undefined, returns its first argument, or throws (CORE-26). */
export type NullStub = "undefined" | "identity" | "throw";

/** Null where nothing in it can be reached from outside. */
export function rewrittenScript({ path, text, answer, whole, parse }: RewriteRequest): string | null {
  const name = (path.split("/").at(-1) ?? path).replace(/\.[cm]?[jt]sx?$/, "");
  const format = exportsOf(path, text, parse)?.format ?? "none";
  if (format === "cjs")
    return `${text}\n${guard(answer)}module.exports = mettleUnit(module.exports, ${JSON.stringify(name)}, ${whole});\n`;
  const program = parse(path, text);
  if (format === "none" || !whole || program === null) return null;
  const { body, after } = bindings(text, nodesIn(program["body"]));
  const head = /\.[cm]?tsx?$/.test(path) ? "// @ts-nocheck\n" : "";
  return after.length === 0 ? null : `${head}${body}\n${guard(answer)}${after.join("\n")}\n`;
}

/** Rebinds exported names, wrapped, at the end of the module; constants become variables. */
function bindings(
  text: string,
  statements: readonly SyntaxNode[],
): { readonly body: string; readonly after: readonly string[] } {
  const cuts: Edit[] = [];
  const after = new Set<string>();
  const rebind = (name: string) => after.add(`${name} = mettleUnit(${name}, ${JSON.stringify(name)}, true);`);
  let number = 0;
  for (const statement of statements) {
    const { declaration } = statement;
    const start = Number(statement["start"]);
    const type = isNode(declaration) ? declaration.type : "";
    if (statement.type === "ExportNamedDeclaration" && isNode(declaration)) {
      if (declaration["declare"] === true || !/^(?:Variable|Function|Class)Declaration$/.test(type)) continue;
      if (declaration["kind"] === "const") {
        const at = Number(declaration["start"]);
        cuts.push({ start: at, end: at + "const".length, text: "let" });
      }
      const bound = nodesIn(declaration["declarations"]).map(({ id }) => id);
      for (const pattern of [declaration["id"], ...bound]) for (const name of boundIn(pattern)) rebind(name);
    } else if (statement.type === "ExportDefaultDeclaration") {
      const own = isNode(declaration) ? wordOf(declaration["id"]) : null;
      if (own !== null) rebind(own);
      if (own !== null || type.startsWith("TS")) continue;
      const words = /^export\s+default/.exec(text.slice(start))?.[0] ?? "";
      cuts.push({ start, end: start + words.length, text: "let mettleDefault =" });
      after.add('mettleDefault = mettleUnit(mettleDefault, "default", true);');
      after.add("export { mettleDefault as default };");
    } else if (
      statement.type === "ExportNamedDeclaration" &&
      statement["source"] == null &&
      statement["exportKind"] !== "type"
    ) {
      cuts.push({ start, end: Number(statement["end"]), text: ";" });
      for (const { local, exported, exportKind } of nodesIn(statement["specifiers"])) {
        if (exportKind === "type" || !isNode(exported)) continue;
        const [name, shown] = [wordOf(local) ?? "", wordOf(exported) ?? ""];
        const own = `mettleExport${number++}`;
        after.add(
          `const ${own} = typeof ${name} === "undefined" ? undefined : mettleUnit(${name}, ${JSON.stringify(shown)}, true);`,
        );
        after.add(
          `export { ${own} as ${exported.type === "StringLiteral" ? JSON.stringify(shown) : shown} };`,
        );
      }
    }
  }
  return { body: applyEdits(text, cuts), after: [...after] };
}

/** Stack frames by which Node, jest and vitest load a module, and by which runners call a test. */
const frames = {
  loads:
    "Module\\._compile|ModuleJob|_execModule|_loadModule|requireModule|InlinedModule|directRequest|ModuleEvaluator",
  tests: "Test\\.run|TestHook|Runnable|callFn|_callCircus|runTest|runHook|runWithTimeout|runWithCancel",
};

function stubsOf(answer: Answer): Readonly<Record<string, NullStub | "late">> {
  if (answer.how === "late") return Object.fromEntries(answer.files.map((file) => [file, "late"]));
  return answer.how === "throw" ? {} : answer.stubs;
}

/** Code that adds the mark to a message. */
function markOf(answer: Answer): string {
  return answer.how === "by file" ? "" : ` + " ${answer.mark}"`;
}

/** Code that finds a test file in the stack. */
const shown = 'Object.keys(stubs).find((file) => text.includes("/" + file))';

/** A helper, as a tester of lint rules, may make the test: its file is then not in the stack, but the runner tells it. */
const byFile = ({ others, unknown }: Answer & { readonly how: "by file" }): string => `const file = ${shown};
    if (file !== undefined) return stubs[file];
    const running = mochaFile ?? (at === -1 ? undefined : sharedFile());
    if (running !== undefined) return stubs[running.split(/[\\\\/]/).at(-1)] ?? null;
    if (!${JSON.stringify(others)}.some((other) => text.includes("/" + other))) leave(${JSON.stringify(unknown)});
    return null;`;

/**
 * Code that tells the test file of the running test: mocha by hooks, jest and vitest by what they share with tests.
 * @public for tests that remember runs: it is the same in all of them
 */
export const runningFile = `let mochaFile;
  if (typeof globalThis.specify === "function" && typeof globalThis.beforeEach === "function") {
    globalThis.beforeEach(function () { mochaFile = this.currentTest?.file; });
    globalThis.afterEach(() => { mochaFile = undefined; });
  }
  const sharedFile = () =>
    globalThis.__vitest_worker__?.filepath ?? globalThis.expect?.getState?.()?.testPath ?? undefined;
  const leave = (path) => {
    const fs = process.getBuiltinModule?.("fs") ?? (typeof require === "function" ? require("fs") : undefined);
    try {
      fs?.writeFileSync(path, "");
    } catch {} // a test may have made the file system read-only
  };`;

const guard = (
  answer: Answer,
): string => `// Written by Mettle for this check only: what a test calls does no work.
var mettleUnit = (() => {
  const known = new WeakMap();
  const raw = new WeakMap();
  const plain = new Set(["prototype", "constructor", "then", "default", "toJSON", "inspect", "$$typeof", "asymmetricMatch", "nodeType", "tagName", "length", "name", "call", "apply", "bind", "toString", "valueOf", "caller", "arguments", "isMockFunction", "_isMockFunction"]);
  const stubs = ${JSON.stringify(stubsOf(answer))};
  ${answer.how === "by file" ? runningFile : ""}
  /** The stub for a call from a test; null while modules load. */
  const calling = () => {
    if (inside.calls > 0) return null;
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 200;
    const text = String(new Error("where").stack);
    Error.stackTraceLimit = stackTraceLimit;
    const lines = text.split("\\n");
    const at = lines.findIndex((line) => /${frames.tests}|${frames.loads}/.test(line));
    if (at !== -1 && !/${frames.tests}/.test(lines[at])) {
      const own = lines.slice(0, at).join("\\n");
      return Object.keys(stubs).some((file) => stubs[file] === "late" && own.includes("/" + file)) ? "late" : null;
    }
    ${answer.how === "throw" ? 'return "throw";' : answer.how === "late" ? `return stubs[${shown}] ?? null;` : byFile(answer)}
  };
  /** Calls that work as usual: what they call in turn does too, without another look at the stack. */
  const inside = (globalThis[Symbol.for("mettle.inside")] ??= { calls: 0 });
  const asUsual = (call) => {
    inside.calls++;
    try {
      return call();
    } finally {
      inside.calls--;
    }
  };
  const late = (name) => {
    const no = () => { throw new Error("not implemented: " + String(name)${markOf(answer)}); };
    return ${unusable};
  };
  const reply = (stub, name, given) => {
    if (stub === "late") return late(name);
    if (stub === "throw") throw new Error("not implemented: " + String(name)${markOf(answer)});
    return stub === "identity" ? given[0] : undefined;
  };
  const open = (value) => raw.get(value) ?? value;
  const wrap = (value, name, whole) => {
    if (value === null || (typeof value !== "object" && typeof value !== "function")) return value;
    if (raw.has(value)) return value;
    if (known.has(value)) return known.get(value);
    const proxy = new Proxy(value, {
      get(target, key) {
        const own = Reflect.getOwnPropertyDescriptor(target, key);
        const found = Reflect.get(target, key);
        if (typeof key === "symbol" || plain.has(key) || key.startsWith("__")) return found;
        if (own !== undefined && !own.configurable && !own.writable) return found;
        if (!(key in target)) {
          const stub = calling();
          return stub === null ? found : (...given) => reply(stub, key, given);
        }
        return whole ? wrap(found, key, true) : found;
      },
      apply(target, self, given) {
        const stub = whole ? calling() : null;
        if (stub !== null) return reply(stub, name, given);
        return asUsual(() => Reflect.apply(target, open(self), given));
      },
      construct(target, given, made) {
        const stub = whole ? calling() : null;
        if (stub !== null) {
          const answer = reply(stub, name, given);
          return stub === "late" ? answer : wrap(Object.create(target.prototype ?? null), name, true);
        }
        return asUsual(() => Reflect.construct(target, given, open(made)));
      },
    });
    known.set(value, proxy);
    raw.set(proxy, value);
    return proxy;
  };
  return wrap;
})();
`;
