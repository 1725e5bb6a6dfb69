/** Whether a compile error is due to the missing unit or to a mistake in the test. */
import type { CompileError } from "../../evidence/test-result.ts";
import type { Script } from "../../source/script.ts";

export interface Missing {
  /** Stubbed names; they have no type that a test could use. */
  readonly stubbed: ReadonlySet<string>;
  /** Planned files. */
  readonly planned: readonly string[];
  /** Path of the Go module or name of the crate; null where there is none. */
  readonly own: string | null;
}

export interface Objection {
  readonly error: CompileError;
  readonly script: Script;
  /** The surrounding function. */
  readonly body: string;
}

const mistakes =
  /\bdeclared (?:and|but) not used\b|\bmissing return\b|\bsyntax error\b|\bredeclared\b|\bduplicate\b/;

export function missesInGo({ error, script, body }: Objection, { stubbed, own }: Missing): boolean {
  const { message } = error;
  if (mistakes.test(message)) return false;
  const isOutside = /^package\s+\w+_test\b/m.test(script.code);
  const locals = ownImports(script, own);
  const ofUnit = (name: string) => {
    const [first = "", second] = name.replace(/^[*&[\]]+/, "").split(".");
    return second === undefined ? !isOutside && !declares(script, first) : locals.has(first);
  };
  const absent = /^undefined: ([\w.]+)/.exec(message)?.[1];
  if (absent !== undefined) return ofUnit(absent);
  const owner = /\(type ([^ ]+(?: \{\})?) has no field or method/.exec(message)?.[1];
  if (owner !== undefined) return /^interface ?\{\}$|^any$/.test(owner) || ofUnit(owner);
  const literal = /\bunknown field '?\w+'? in struct literal of type ([\w.*]+)/.exec(message)?.[1];
  if (literal !== undefined) return ofUnit(literal);
  const called = /^(?:too many|not enough) arguments in call to ([\w.]+)/.exec(message)?.[1];
  if (called !== undefined) return !declares(script, called.split(".")[0] ?? "");
  return mentions(body, stubbed);
}

/** The names under which a file imports packages of its own module. */
function ownImports({ text, strings }: Script, module: string | null): ReadonlySet<string> {
  if (module === null) return new Set();
  return new Set(
    strings.flatMap(({ value, start }) => {
      if (value !== module && !value.startsWith(`${module}/`)) return [];
      const before =
        /(?:^|\n|import)[ \t]*([\w.]*)[ \t]*$/.exec(text.slice(Math.max(0, start - 120), start))?.[1] ?? "";
      return [
        before === "" || before === "import"
          ? (value.split("/").at(-1) ?? "").replace(/^go-|-go$|\.go$/g, "")
          : before,
      ];
    }),
  );
}

/** Whether a test file declares a name at its top level. */
function declares({ code }: Script, name: string): boolean {
  return [...code.matchAll(/^(?:func|type|var|const|fn|struct|enum|macro_rules!)\s+(\w+)/gm)].some(
    (match) => match[1] === name,
  );
}

function mentions(body: string, names: ReadonlySet<string>): boolean {
  return (body.match(/\w+/g) ?? []).some((word) => names.has(word));
}

export function missesInRust(
  { error, script, body }: Objection,
  { stubbed, planned, own }: Missing,
): boolean {
  const { message, words, file } = error;
  // An inline test may use names from the code around it.
  const isInline = planned.includes(file);
  const imported = new Set([...crateNames(script, own), ...stubbed, ...(isInline ? typesOf(script) : [])]);
  if (words.includes("MettleStub")) return true;
  if (planned.some((path) => words.includes(` ${path}:`)) && !isInline) return true;
  if (isInline && /^cannot find (?:function|type|trait|struct|value|tuple)/.test(message)) return true;
  if (/^cannot find|^failed to resolve|^unresolved/.test(message))
    return own !== null && message.includes(`\`${own}`);
  if (/^no (?:method|function|associated|field|variant)|\bhas no field\b/.test(message)) {
    const named = [...message.matchAll(/`[&\s]*(?:mut )?([\w:]+)/g)].map(
      (match) => match[1]?.split("::").at(-1) ?? "",
    );
    // A planned trait may add methods to other types.
    return (
      named.some((name) => imported.has(name)) ||
      [...stubbed].some((name) => crateNames(script, own).has(name))
    );
  }
  return mentions(body, stubbed);
}

function typesOf({ code }: Script): readonly string[] {
  return [...code.matchAll(/\b(?:struct|enum|trait|union)\s+(\w+)/g)].map((match) => match[1] ?? "");
}

/** The names that a file imports from the crate. */
function crateNames({ code }: Script, crate: string | null): ReadonlySet<string> {
  const clauses = [...code.matchAll(/\b(\w+)::([\w:]+|[\w:]*\{[^}]*\})/g)].filter(
    (match) => match[1] === crate,
  );
  return new Set(clauses.flatMap((match) => (match[2] ?? "").match(/\w+/g) ?? []));
}
