/** Which changed files can change the behaviour of a project. Pure: the caller passes the parser. */
import { differsInVersionAlone } from "./package-manifest.ts";
import { isFixture, matchesAny, type PathRules } from "../../source/paths.ts";
import { withoutPositions, isScript, type Parse } from "../../source/syntax.ts";

export interface ChangedFile {
  readonly path: string;
  /** Null where the file does not exist or is not text. */
  readonly before: string | null;
  readonly after: string | null;
}

const names =
  /^(?:(?:LICEN[CS]E|NOTICE|AUTHORS|CONTRIBUTORS|CODEOWNERS|COPYING|CHANGELOG|CHANGES|README)(?:[.-].*)?|\.(?:editorconfig|gitignore|gitattributes|mailmap|prettierrc|prettierignore|eslintrc|eslintignore)(?:\..*)?)$/i;
const places =
  /^\.(?:github|gitlab|circleci|vscode|idea)\/|^\.(?:gitlab-ci|travis|pre-commit-config)\.ya?ml$/;
const endings = /\.(?:md|markdown|rst|adoc|txt)$/i;
const lists = /^(?:requirements|constraints).*\.txt$|^CMakeLists\.txt$/i;

/** Documentation, and settings of editors, formatters and services: the project never runs them. */
export function isProse(path: string, rules: PathRules): boolean {
  const name = path.split("/").at(-1) ?? path;
  if (names.test(name) || places.test(path)) return true;
  // Beside source code, a text file may be a template that the program reads.
  return (
    endings.test(name) &&
    !lists.test(name) &&
    !matchesAny(path, [...rules.tests, ...rules.source]) &&
    !isFixture(path)
  );
}

/** Paths whose program changed; a script with equal syntax did not. */
export function changesOfBehaviour(
  files: readonly ChangedFile[],
  { rules, parse }: { readonly rules: PathRules; readonly parse: Parse },
): readonly string[] {
  return files
    .filter((file) => !isProse(file.path, rules) && !isSameProgram(file, parse))
    .map(({ path }) => path);
}

function isSameProgram({ path, before, after }: ChangedFile, parse: Parse): boolean {
  if (before === null || after === null) return false;
  if (before === after) return true;
  if (/(?:^|\/)(?:package|package-lock|npm-shrinkwrap)\.json$/.test(path))
    return differsInVersionAlone(before, after);
  if (!isScript(path)) return false;
  const [old, now] = [parse(path, before), parse(path, after)];
  return (
    old !== null &&
    now !== null &&
    JSON.stringify(withoutPositions(old)) === JSON.stringify(withoutPositions(now))
  );
}
