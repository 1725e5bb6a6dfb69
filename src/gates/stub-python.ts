/** Stubs of planned Python modules: every name that a test asks for, each throwing NotImplementedError when it is used. */
import { readCode } from "./code-text.ts";
import { membersOf, pythonImports } from "./imports-python.ts";
import type { Stub, StubFacts } from "./stub-source.ts";

type Facts = Pick<StubFacts, "tests" | "planned" | "read" | "late">;

export function pythonStubs(facts: Facts): readonly Stub[] {
  const wanted = new Map<string, Map<string, Set<string>>>();
  const want = (path: string, name: string, members: readonly string[]) => {
    const names = wanted.get(path) ?? new Map<string, Set<string>>();
    wanted.set(path, names.set(name, new Set([...(names.get(name) ?? []), ...members])));
  };
  for (const file of facts.tests) {
    const script = readCode(file.text, "python");
    for (const one of pythonImports(script)) {
      const path = plannedModule(one.module, file.path, facts);
      if (path !== null) {
        if (!wanted.has(path)) wanted.set(path, new Map());
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
  return [...wanted].flatMap(([path, names]) => stubOf(path, names, facts) ?? []);
}

function plannedModule(module: string, importer: string, { planned }: Facts): string | null {
  return pythonFile(module, importer, (path) => planned.includes(path));
}

/** The file that a dotted name means; a package may begin at the root or below `src`. */
export function pythonFile(module: string, importer: string, has: (path: string) => boolean): string | null {
  const dots = /^\.*/.exec(module)?.[0].length ?? 0;
  const path = module.slice(dots).replaceAll(".", "/");
  const folder = dots === 0 ? null : importer.split("/").slice(0, -dots).join("/");
  const starts = folder === null ? ["", "src/"] : [folder === "" ? "" : `${folder}/`];
  const found = starts.flatMap((start) => [`${start}${path}.py`, `${start}${path}/__init__.py`]);
  return found.find(has) ?? null;
}

function stubOf(path: string, asked: ReadonlyMap<string, ReadonlySet<string>>, facts: Facts): Stub | null {
  const text = facts.read(path);
  const known = text === undefined ? new Set<string>() : namesOf(text);
  const missing = [...asked].filter(([name]) => !known.has(name));
  if (text !== undefined && missing.length === 0) return null;
  const late = facts.late ?? false;
  const code = missing.flatMap(([name, members]) => [...define(name, members, late), ""]).join("\n");
  return {
    path,
    names: missing.map(([name]) => name),
    content: `${text === undefined ? "" : `${text}\n`}${head}${late ? later : ""}${code}`,
  };
}

const head = "# Written by Mettle for this check only: planned, not implemented yet.\n";

/** What an early call gives: a thing that throws when it is used. */
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

/** Names that a module has at its top level, imported ones too. */
function namesOf(text: string): ReadonlySet<string> {
  const script = readCode(text, "python");
  const made = [...script.code.matchAll(/^(?:(?:async )?def|class)\s+(\w+)|^(\w+)\s*(?::[^=\n]*)?=(?!=)/gm)];
  const taken = pythonImports(script).flatMap(({ names, module }) =>
    names.length === 0 ? [module.split(".")[0] ?? ""] : names.map(({ local }) => local),
  );
  return new Set([...made.map((match) => match[1] ?? match[2] ?? ""), ...taken]);
}
