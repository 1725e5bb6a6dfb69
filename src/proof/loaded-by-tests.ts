/** Finds the files outside of the test folders that RED's tests load and that only tests use: they are frozen, too (CORE-27). */
import { isProse } from "../gates/suite/behaviour.ts";
import type { Finding } from "../gates/verdict.ts";
import { fields, tryGit } from "../git/git.ts";
import { inStore, type Repository } from "../git/repository.ts";
import { isInSource, isOfTests, kindOf, type PathRules } from "../source/paths.ts";
import {
  importWord,
  isOwnTest,
  loadedBy,
  looksLikeHelper,
  mayImport,
  resemblesHelper,
} from "../source/loaded-files.ts";
import { countTestsIn, isTestText } from "../source/test-marks.ts";
import { isModule } from "./checkout/link-modules.ts";
import type { Project } from "./project/project.ts";

export interface LoadedRequest {
  readonly repository: Repository;
  readonly project: Project;
  readonly rules: PathRules;
  /** Files that the plan lets the source change. */
  readonly planned: readonly string[];
}

/**
 * Files that are neither test nor source; and source files that look like helpers of tests, or are data outside of the
 * folders of source, and that tests load and no other source does, without a test of their own. JavaScript, TypeScript and
 * Python.
 */
export async function loadedByTests(request: LoadedRequest): Promise<readonly string[]> {
  const { project, rules, planned } = request;
  const { loads, others, helpers } = await follow(request);
  const { texts } = loads;
  const mayChange = (path: string) =>
    planned.includes(path) ||
    [...texts.keys()].some((test) => isOfTests(test, rules) && isOwnTest(test, path));
  let left = new Set([...helpers].filter((path) => !mayChange(path)));
  // A test that loads no other source tests the helper itself.
  for (const [path, { files, lacks }] of loads.files) {
    const isUnit = (file: string) => isInSource(file, rules) || isTestText(file);
    const sources = files.filter((file) => kindOf(file, rules) === "source" && isUnit(file));
    const isOnly = sources.length > 0 && !lacks && sources.every((file) => helpers.has(file));
    if (isOnly && isOfTests(path, rules) && countTestsIn({ path, text: texts.get(path) ?? "" }) > 0)
      left = new Set([...left].filter((file) => !sources.includes(file)));
  }
  return [...others, ...(await withoutUsers(request, left))].filter((path) => project.files.has(path));
}

/** The changed source files that were helpers of tests before a change: a person must review them. */
export async function helperFindings(
  request: Omit<LoadedRequest, "planned">,
  changed: readonly string[],
): Promise<readonly Finding[]> {
  const { project, rules } = request;
  const sources = changed.filter((path) => kindOf(path, rules) === "source");
  const texts = [...(await project.texts(sources))];
  if (!texts.some(([path, text]) => mayBelongToTests(path, text, rules))) return [];
  const helpers = await loadedByTests({ ...request, planned: [] });
  return sources
    .filter((path) => helpers.includes(path))
    .map((path) => ({
      code: "setup_changed",
      severity: "finding",
      message: `the change touches ${path}, which only tests load: review it`,
      path,
    }));
}

interface Followed {
  readonly loads: {
    readonly files: ReadonlyMap<string, ReturnType<typeof loadedBy>>;
    readonly texts: ReadonlyMap<string, string>;
  };
  readonly others: ReadonlySet<string>;
  readonly helpers: ReadonlySet<string>;
}

/** From the tests, through their helpers; other source is not followed. */
async function follow({ project, rules }: LoadedRequest): Promise<Followed> {
  const folders = new Set([...project.files.keys()].flatMap(foldersOf));
  const known = {
    has: (path: string) => project.files.has(path) && !isModule(path),
    hasFolder: (name: string) => folders.has(name) || folders.has(`src/${name}`),
  };
  const files = new Map<string, ReturnType<typeof loadedBy>>();
  const texts = new Map<string, string>();
  const [others, helpers] = [new Set<string>(), new Set<string>()];
  let next = [...project.files.keys()].filter((path) => isOfTests(path, rules) && isTestText(path));
  while (next.length > 0) {
    const found = new Set<string>();
    for (const [path, text] of await project.texts(next)) {
      const loaded = loadedBy(path, text, known);
      texts.set(path, text);
      files.set(path, loaded);
      for (const file of loaded.files) if (!isOfTests(file, rules)) found.add(file);
    }
    const fresh = [...found].filter((path) => !texts.has(path) && !others.has(path) && !helpers.has(path));
    const sources = fresh.filter((path) => kindOf(path, rules) === "source");
    const alike = [...(await project.texts(sources))].filter(([path, text]) =>
      mayBelongToTests(path, text, rules),
    );
    for (const [path] of alike) helpers.add(path);
    const beside = fresh.filter((path) => kindOf(path, rules) === "other" && !isProse(path, rules));
    for (const path of beside) others.add(path);
    next = [...alike.map(([path]) => path), ...beside].filter(isTestText);
  }
  return { loads: { files, texts }, others, helpers };
}

/** Outside of the folders of source, data does, too, and what only resembles a helper. Its loaders decide then. */
function mayBelongToTests(path: string, text: string, rules: PathRules): boolean {
  if (isInSource(path, rules)) return looksLikeHelper(path, text);
  return !isProse(path, rules) && (!isTestText(path) || resemblesHelper(path, text));
}

function foldersOf(path: string): readonly string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_part, at) => parts.slice(0, at + 1).join("/"));
}

/** Those that no source imports, except others of them. */
async function withoutUsers(
  { repository, project, rules }: LoadedRequest,
  helpers: ReadonlySet<string>,
): Promise<readonly string[]> {
  if (helpers.size === 0) return [];
  const words = [...new Set([...helpers].map(importWord))].flatMap((word) => ["-e", word]);
  const args = ["grep", "--files-with-matches", "-z", "-I", "--fixed-strings", ...words, project.commit];
  const { exitCode, stdout } = await tryGit(inStore(repository), args);
  // Without an answer nobody knows who uses them.
  if (exitCode > 1) return [];
  const named = fields(stdout).map((field) => field.slice(field.indexOf(":") + 1));
  const texts = await project.texts(
    named.filter((path) => !isOfTests(path, rules) && (isTestText(path) || isManifest(path))),
  );
  let left = [...helpers];
  for (let before = -1; before !== left.length;) {
    before = left.length;
    const users = [...texts].filter(([path]) => !left.includes(path));
    left = left.filter((helper) => !users.some(([path, text]) => uses(path, text, helper)));
  }
  return left;
}

function isManifest(path: string): boolean {
  return /(?:^|\/)(?:package\.json|pyproject\.toml|setup\.(?:py|cfg))$/u.test(path);
}

/** A package that publishes a helper has it as source. */
function uses(path: string, text: string, helper: string): boolean {
  if (path === helper) return false;
  if (!isTestText(helper)) return text.includes(helper.split("/").at(-1) ?? helper);
  if (!isManifest(path)) return mayImport(path, text, helper);
  const folder = path.split("/").slice(0, -1).join("/");
  const own = folder === "" ? helper : helper.slice(folder.length + 1);
  return helper.startsWith(folder) && text.includes(own);
}
