/**
 * Path patterns of the settings (`tests/`, `src`, `**` globs) and what they say about a changed path.
 * All paths are relative to the repository, with `/`.
 */
export interface PathRules {
  /** Where tests and their helpers live. */
  readonly tests: readonly string[];
  /** Where the implementation lives. A path that is also a test path is a test path. */
  readonly source: readonly string[];
}

export type PathKind = "test" | "source" | "fixture" | "other";

const fixtureFolders = /(^|\/)(fixtures|__fixtures__|__snapshots__|testdata)\//;

export function isFixture(path: string): boolean {
  return fixtureFolders.test(path);
}

export function kindOf(path: string, rules: PathRules): PathKind {
  if (matchesAny(path, rules.tests)) return "test";
  if (matchesAny(path, rules.source)) return "source";
  return isFixture(path) ? "fixture" : "other";
}

/** Paths that a RED commit must not touch: everything but tests and their fixtures. */
export function outsideTests(paths: readonly string[], rules: PathRules): readonly string[] {
  return paths.filter((path) => !["test", "fixture"].includes(kindOf(path, rules)));
}

/** Test paths that a cycle did not declare; fixtures are free. */
export function outsideDeclared(paths: readonly string[], declared: readonly string[]): readonly string[] {
  return paths.filter((path) => !isFixture(path) && !matchesAny(path, declared));
}

/** Paths that a GREEN commit must not touch: everything but source. */
export function outsideSource(paths: readonly string[], rules: PathRules): readonly string[] {
  return paths.filter((path) => kindOf(path, rules) !== "source");
}

export function matchesAny(path: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => matches(path, pattern));
}

/** A pattern without wildcard names a file or a whole folder; `*` and `?` stay inside a segment, `**` does not. */
export function matches(path: string, pattern: string): boolean {
  const clean = pattern.replace(/^\.\//, "").replace(/\/$/, "");
  if (clean === "" || clean === ".") return true;
  if (!/[*?[{]/.test(clean)) return path === clean || path.startsWith(`${clean}/`);
  return toRegExp(clean).test(path);
}

const compiled = new Map<string, RegExp>();

function toRegExp(glob: string): RegExp {
  const known = compiled.get(glob);
  if (known !== undefined) return known;
  const made = new RegExp(`^${translate(glob)}(/.*)?$`);
  compiled.set(glob, made);
  return made;
}

function translate(glob: string): string {
  let out = "";
  let depth = 0;
  for (let at = 0; at < glob.length; at++) {
    const char = glob.charAt(at);
    if (glob.startsWith("**/", at)) {
      out += "(?:.*/)?";
      at += 2;
    } else if (glob.startsWith("**", at)) {
      out += ".*";
      at += 1;
    } else if (char === "*") out += "[^/]*";
    else if (char === "?") out += "[^/]";
    else if (char === "{") {
      out += "(?:";
      depth++;
    } else if (char === "}" && depth > 0) {
      out += ")";
      depth--;
    } else if (char === "," && depth > 0) out += "|";
    else if (char === "[" && glob.indexOf("]", at) > at) {
      const end = glob.indexOf("]", at);
      out += `[${glob
        .slice(at + 1, end)
        .replace(/^!/, "^")
        .replaceAll("\\", "\\\\")}]`;
      at = end;
    } else out += char.replace(/[.+^${}()|[\]\\/]/, "\\$&");
  }
  return depth === 0 ? out : glob.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}
