import { literalAt, type Script } from "./script.ts";

/** An import of another module by a script. Types are excluded: they do not exist at run time. */
export interface Import {
  /** As written: `../src/add.ts`, `vitest`. */
  readonly from: string;
  readonly style: "import" | "require";
  readonly names: readonly ImportedName[];
}

/** One imported export; `default` for the default, and for the whole of `module.exports`. */
export interface ImportedName {
  readonly name: string;
  /** Members read from it: `of` for `Money.of(5)`. */
  readonly members: readonly string[];
}

const word = "[\\p{L}\\p{N}_$]";
const staticImport = new RegExp(
  `(?<!${word}|\\.)(import|export)\\s+(type\\s+(?!from\\b))?(${word}[^"'\`;()]*?|[{*][^"'\`;()]*?)\\s*from\\s*(?=["'])`,
  "gu",
);
const bareImport = new RegExp(`(?<!${word}|\\.)import\\s*(?=["'])`, "gu");
const call = new RegExp(
  `(?:(?:const|let|var)\\s+(\\{[^{}]*\\}|${word}+)\\s*(?::[^=;]+)?=\\s*)?(?:\\(\\s*)?(?:await\\s+)?(?<!${word}|\\.)(import|require)\\s*\\(\\s*(?=["'\`])`,
  "gu",
);
const access = /(?<![\p{L}\p{N}_$.])([\p{L}_$][\p{L}\p{N}_$]*)\s*\??\.\s*([\p{L}_$][\p{L}\p{N}_$]*)/gu;
const apart = /(?:const|let|var)\s*\{([^{}]*)\}\s*=\s*([\p{L}_$][\p{L}\p{N}_$]*)(?![\p{L}\p{N}_$]|[.(])/gu;

export function importsOf(script: Script): readonly Import[] {
  return [...staticImports(script), ...calls(script)];
}

/** The names in `{ a, b as c, type T }` with their local names. `separator` is `as` or `:`. */
function namesIn(
  clause: string,
  separator: RegExp,
): readonly { readonly name: string; readonly local: string }[] {
  return clause
    .split(",")
    .map((part) => part.trim().replace(/\s*=(?!=).*$/s, ""))
    .filter((part) => part !== "" && !/^type\s+(?!as\b)/.test(part) && !part.startsWith("..."))
    .map((part) => {
      const [name = part, local = name] = part.split(separator);
      return { name, local };
    });
}

function staticImports(script: Script): readonly Import[] {
  const found: Import[] = [];
  for (const match of script.code.matchAll(staticImport)) {
    const [whole, , typeOnly, clause = ""] = match;
    const from = literalAt(script, match.index + whole.length)?.value;
    if (from === undefined || typeOnly !== undefined) continue;
    const braces = /\{([^}]*)\}/.exec(clause)?.[1];
    const namespace = /\*\s*as\s+([\p{L}\p{N}_$]+)/u.exec(clause)?.[1];
    const local = /^\s*([\p{L}\p{N}_$]+)/u.exec(clause)?.[1];
    const named = namesIn(braces ?? "", /\s+as\s+/).map((one) => ({
      name: one.name,
      members: membersOf(script, one.local),
    }));
    const own = local === undefined ? [] : [{ name: "default", members: membersOf(script, local) }];
    const spread =
      namespace === undefined ? [] : membersOf(script, namespace).map((name) => ({ name, members: [] }));
    found.push({ from, style: "import", names: [...own, ...named, ...spread] });
  }
  for (const match of script.code.matchAll(bareImport)) {
    const from = literalAt(script, match.index + match[0].length)?.value;
    if (from !== undefined) found.push({ from, style: "import", names: [] });
  }
  return found;
}

function calls(script: Script): readonly Import[] {
  const found: Import[] = [];
  for (const match of script.code.matchAll(call)) {
    const [whole, target, kind] = match;
    const literal = literalAt(script, match.index + whole.length);
    if (literal === null) continue;
    const style = kind === "require" ? "require" : "import";
    found.push({
      from: literal.value,
      style,
      names: namesOfCall({ script, target, style, end: literal.end }),
    });
  }
  return found;
}

interface Call {
  readonly script: Script;
  /** The text left of `=`. */
  readonly target: string | undefined;
  readonly style: Import["style"];
  readonly end: number;
}

function namesOfCall({ script, target, style, end }: Call): readonly ImportedName[] {
  const member = /^\s*\)\s*(?:\)\s*)?\.\s*([\p{L}_$][\p{L}\p{N}_$]*)/u.exec(script.code.slice(end))?.[1];
  if (member !== undefined && member !== "then")
    return [{ name: member, members: target === undefined ? [] : membersOfTarget(script, target) }];
  if (target === undefined) return [];
  if (target.startsWith("{"))
    return namesIn(target.slice(1, -1), /\s*:\s*/).map((one) => ({
      name: one.name,
      members: membersOf(script, one.local),
    }));
  const members = membersOf(script, target);
  return style === "require"
    ? [{ name: "default", members }]
    : members.map((name) => ({ name, members: [] }));
}

/** Members read from a value with a name, or destructured from it: `const { x } = require("fs").promises`. */
function membersOfTarget(script: Script, target: string): readonly string[] {
  return target.startsWith("{") ? namesOf(target.slice(1, -1)) : membersOf(script, target);
}

/** Members read by `name.x` and by `const { x } = name`. */
function membersOf(script: Script, name: string): readonly string[] {
  const accessed = [...script.code.matchAll(access)].flatMap(([, from, member = ""]) =>
    from === name ? [member] : [],
  );
  const taken = [...script.code.matchAll(apart)].flatMap(([, clause = "", from]) =>
    from === name ? namesOf(clause) : [],
  );
  return [...new Set([...accessed, ...taken])];
}

function namesOf(clause: string): readonly string[] {
  return namesIn(clause, /\s*:\s*/).map((one) => one.name);
}
