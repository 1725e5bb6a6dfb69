/** The protected set: files that decide whether tests pass, frozen by content hash when RED passed (CORE-27). */
import { failed, shortList, passed } from "../check.ts";
import { decidesTests } from "../../source/configuration.ts";
import { kindOf, type PathRules } from "../../source/paths.ts";
import type { Check } from "../verdict.ts";

/** path -> sha256. */
export type Hashes = Readonly<Record<string, string>>;

/** @param extra files named by a runner configuration, such as setup files */
export function isProtected(path: string, rules: PathRules, extra: readonly string[] = []): boolean {
  const kind = kindOf(path, rules);
  return (
    kind === "test" ||
    kind === "fixture" ||
    extra.includes(path) ||
    path.startsWith(".mettle/") ||
    /(^|\/)\.cargo\/config(\.toml)?$/.test(path) ||
    // Runners find module mocks by their location alone.
    /(^|\/)__mocks__\//.test(path) ||
    decidesTests(path)
  );
}

export function isRunnerConfig(path: string): boolean {
  const name = path.split("/").at(-1) ?? path;
  return (
    /^(vitest|vite|jest)\.(config|workspace)\.([cm]?[jt]s|json)$/.test(name) ||
    /^(package\.json|conftest\.py|pyproject\.toml|setup\.cfg|tox\.ini|\.?pytest\.(ini|toml))$/.test(name) ||
    /^\.mocharc\b/.test(name)
  );
}

export interface FrozenFacts {
  readonly frozen: Hashes;
  /** Content hashes of all protected files of the judged commit. */
  readonly now: Hashes;
  /** Paths that the agent tried to change and that the sandbox protected. */
  readonly tried?: readonly string[] | undefined;
  /** Source files in which an inline test was removed or changed. */
  readonly inline?: readonly string[];
  readonly rules?: PathRules;
}

export function checkFrozen({ frozen, now, tried = [], inline = [], rules }: FrozenFacts): Check {
  const changes = [
    ...Object.keys(frozen).flatMap((path) => {
      const hash = now[path];
      if (hash === frozen[path]) return [];
      return [
        hash === undefined
          ? `deleted ${path}${renamed(frozen[path], { frozen, now })}`
          : `changed ${path}${helperNote(path, rules)}`,
      ];
    }),
    ...Object.keys(now).flatMap((path) => (path in frozen ? [] : [`added ${path}`])),
    ...tried.map((path) => `tried to change ${path}`),
    ...inline.map((path) => `changed the tests inside ${path}`),
  ];
  if (changes.length === 0) return passed("frozen");
  return failed("frozen", `these files are read-only in GREEN, restore them: ${shortList(changes)}`);
}

/** A source file is frozen as a helper or set-up of tests. */
function helperNote(path: string, rules: PathRules | undefined): string {
  return rules === undefined || kindOf(path, rules) !== "source" || isProtected(path, rules)
    ? ""
    : " (it belongs to the tests)";
}

function renamed(hash: string | undefined, { frozen, now }: FrozenFacts): string {
  const target = Object.keys(now).find((path) => now[path] === hash && !(path in frozen));
  return target === undefined ? "" : ` (now ${target})`;
}
