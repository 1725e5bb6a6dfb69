/** Stubs for planned Python modules: every requested name raises NotImplementedError when it is used. */
import { readCode } from "../code-text.ts";
import { membersOf, pythonImports } from "../imports-python.ts";
import { pythonFile } from "../module-paths.ts";
import type { Stub, StubFacts } from "./script.ts";

type Facts = Pick<StubFacts, "tests" | "planned" | "read" | "late" | "passesOn">;

export function pythonStubs(facts: Facts): readonly Stub[] {
  const requested = new Map<string, Map<string, Set<string>>>();
  const want = (path: string, name: string, members: readonly string[]) => {
    const names = requested.get(path) ?? new Map<string, Set<string>>();
    requested.set(path, names.set(name, new Set([...(names.get(name) ?? []), ...members])));
  };
  for (const file of facts.tests) {
    const script = readCode(file.text, "python");
    for (const one of pythonImports(script)) {
      const path = plannedModule(one.module, file.path, facts);
      if (path !== null) {
        if (!requested.has(path)) requested.set(path, new Map());
        for (const { name, local } of one.names) want(path, name, membersOf(script, local));
        for (const name of one.used) want(path, name, []);
      }
      // `from shop import cart`, where cart is a module.
      for (const { name, local } of one.names) {
        const inner = plannedModule(`${one.module.replace(/\.$/, "")}.${name}`, file.path, facts);
        for (const member of inner === null ? [] : membersOf(script, local)) want(inner ?? "", member, []);
      }
    }
  }
  return [...requested].flatMap(([path, names]) => stubOf(path, names, facts) ?? []);
}

/** A planned file, or one that re-exports a planned one. */
function plannedModule(module: string, importer: string, facts: Facts): string | null {
  const { planned, read, passesOn } = facts;
  const path = pythonFile(module, importer, (one) => planned.includes(one) || read(one) !== undefined);
  return path !== null && (planned.includes(path) || passesOn?.(path) === true) ? path : null;
}

function stubOf(
  path: string,
  requested: ReadonlyMap<string, ReadonlySet<string>>,
  facts: Facts,
): Stub | null {
  const text = facts.read(path);
  const known = text === undefined ? new Set<string>() : namesOf(path, text, facts, 0);
  const isModule = (name: string) =>
    path.endsWith("__init__.py") &&
    pythonFile(`.${name}`, path, (one) => facts.read(one) !== undefined) !== null;
  const missing = [...requested].filter(([name]) => !known.has(name) && !isModule(name));
  if (text !== undefined && missing.length === 0) return null;
  const late = facts.late ?? false;
  // A name that the module creates at run time is not in its text and must not be replaced. `globals` may be a module of its own.
  const guarded = (name: string, lines: readonly string[]) =>
    text === undefined
      ? lines
      : [
          "try:",
          `    ${name}`,
          "except NameError:",
          ...lines.map((line) => (line === "" ? "" : `    ${line}`)),
        ];
  const code = missing
    .flatMap(([name, members]) => [...guarded(name, define(name, members, late)), ""])
    .join("\n");
  return {
    path,
    names: missing.map(([name]) => name),
    content: `${text === undefined ? "" : `${text}\n`}${head}${late ? later : ""}${code}`,
  };
}

const head = "# Written by Mettle for this check only: planned, not implemented yet.\n";

/** The result of an early call: an object that raises when it is used. */
const later = `class _MettleLater:
    def __init__(self, name):
        object.__setattr__(self, "_mettle", name)
    def _no(self, *_args, **_named):
        raise NotImplementedError(object.__getattribute__(self, "_mettle"))
    __getattr__ = __setattr__ = __call__ = __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _no
    __iter__ = __len__ = __getitem__ = __contains__ = __bool__ = __str__ = __add__ = __enter__ = __exit__ = _no
    __hash__ = None


`;

function define(name: string, members: ReadonlySet<string>, late: boolean): readonly string[] {
  if (/(?:Error|Exception|Warning)$/.test(name)) return [`class ${name}(Exception):`, "    pass", ""];
  if (/^[A-Z][A-Z0-9_]*$/.test(name) && members.size === 0 && name.length > 1) return [`${name} = None`, ""];
  const body = (shown: string) =>
    late
      ? `return _MettleLater(${JSON.stringify(shown)})`
      : `raise NotImplementedError(${JSON.stringify(shown)})`;
  if (!/^[A-Z]/.test(name)) {
    return [
      `def ${name}(*_args, **_named):`,
      `    ${body(name)}`,
      "",
      ...[...members].map((member) => `${name}.${member} = lambda *_args, **_named: ${name}()`),
    ];
  }
  return [
    `class ${name}:`,
    "    def __new__(cls, *_args, **_named):",
    `        ${body(name)}`,
    ...[...members].flatMap((member) => [
      "    @staticmethod",
      `    def ${member}(*_args, **_named):`,
      `        ${body(`${name}.${member}`)}`,
    ]),
    "",
  ];
}

/** The top-level names of a module, including imported ones; names of a star import where the project contains the module. */
function namesOf(path: string, text: string, facts: Facts, depth: number): ReadonlySet<string> {
  const script = readCode(text, "python");
  const made = [...script.code.matchAll(/^(?:(?:async )?def|class)\s+(\w+)|^(\w+)\s*(?::[^=\n]*)?=(?!=)/gm)];
  const taken = pythonImports(script).flatMap(({ names, module }) =>
    names.length === 0 ? [module.split(".")[0] ?? ""] : names.map(({ local }) => local),
  );
  const stars = depth > 6 ? [] : [...script.code.matchAll(/^from[ \t]+(\.*[\w.]*)[ \t]+import[ \t]+\*/gm)];
  const passedOn = stars.flatMap((match) => {
    const inner = pythonFile(match[1] ?? "", path, (one) => facts.read(one) !== undefined);
    return inner === null ? [] : [...namesOf(inner, facts.read(inner) ?? "", facts, depth + 1)];
  });
  return new Set([...made.map((match) => match[1] ?? match[2] ?? ""), ...taken, ...passedOn]);
}
