/**
 * Matches the settings' path patterns (`tests/`, `src`, `**` globs) and classifies changed paths. All paths are relative to
 * the repository, with `/`.
 */
import { matchesGlob } from "../lib/glob.ts";
import { isConfiguration } from "./configuration.ts";

export interface PathRules {
  /** Folders of tests and their helpers. */
  readonly tests: readonly string[];
  /** Folders of the implementation. A path that matches both is a test path. */
  readonly source: readonly string[];
  /** Where nobody named the source, everything else is source, too, except fixtures and configuration (SEE-10). */
  readonly rest?:
    | {
        /** Patterns of files that are configuration, whatever their name. */
        readonly configuration: readonly string[];
      }
    | undefined;
}

export type PathKind = "test" | "source" | "fixture" | "other";

const fixtureFolders = /(^|\/)(fixtures|__fixtures__|__snapshots__|testdata)\//;

export function isFixture(path: string): boolean {
  return fixtureFolders.test(path);
}

export function kindOf(path: string, rules: PathRules): PathKind {
  if (matchesAny(path, rules.tests)) return "test";
  if (matchesAny(path, rules.source)) return "source";
  if (isFixture(path)) return "fixture";
  return isRest(path, rules) ? "source" : "other";
}

function isRest(path: string, { rest }: PathRules): boolean {
  return rest !== undefined && !isConfiguration(path) && !matchesAny(path, rest.configuration);
}

/** Whether it is source by its folder, not only because it is nothing else. */
export function isInSource(path: string, rules: PathRules): boolean {
  return kindOf(path, { tests: rules.tests, source: rules.source }) === "source";
}

/** The places of source in words, for messages and prompts. */
export function sourceText({ source, rest }: PathRules): string {
  const named = source.join(", ");
  return rest === undefined ? named : `${named}, or elsewhere outside of tests, fixtures and configuration`;
}

/** Whether it is a test, a helper of tests or a fixture. */
export function isOfTests(path: string, rules: PathRules): boolean {
  return ["test", "fixture"].includes(kindOf(path, rules));
}

/** Paths that a RED commit must not change: all except tests and their fixtures. */
export function outsideTests(paths: readonly string[], rules: PathRules): readonly string[] {
  return paths.filter((path) => !isOfTests(path, rules));
}

/** Test paths that a cycle did not declare; fixtures are allowed. */
export function outsideDeclared(paths: readonly string[], declared: readonly string[]): readonly string[] {
  return paths.filter((path) => !isFixture(path) && !matchesAny(path, declared));
}

/** Paths that a GREEN commit must not change: all except source. */
export function outsideSource(paths: readonly string[], rules: PathRules): readonly string[] {
  return paths.filter((path) => kindOf(path, rules) !== "source");
}

export function matchesAny(path: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => matches(path, pattern));
}

/** A pattern without wildcards matches a file or a whole folder; `*` and `?` stay within a segment, `**` does not. */
export function matches(path: string, pattern: string): boolean {
  const clean = pattern.replace(/^\.\//, "").replace(/\/$/, "");
  if (clean === "" || clean === ".") return true;
  if (!/[*?[{]/.test(clean)) return path === clean || path.startsWith(`${clean}/`);
  return matchesGlob(path, clean);
}
