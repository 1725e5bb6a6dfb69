/** Hashes of the files that decide a test run, at one commit. */
import { hashFiles } from "../git/objects/contents.ts";
import type { Repository } from "../git/repository.ts";
import { isProtected, isRunnerConfig, type Hashes } from "../gates/suite/frozen.ts";
import type { PathRules } from "../source/paths.ts";
import { filesNamed, setupNames } from "../gates/suite/setup-files.ts";
import { loadParser } from "../source/syntax.ts";
import { isModule } from "./checkout/link-modules.ts";
import { manifest } from "./project/manifest.ts";
import type { RecordDraft } from "./draft.ts";
import type { Project } from "./project/project.ts";

/**
 * path -> sha256 of the protected set (CORE-27).
 * @param loaded files outside of the test folders that belong to it: see `loadedByTests`
 */
export async function protectedHashes(
  repository: Repository,
  project: Project,
  rules: PathRules,
  loaded: readonly string[] = [],
): Promise<Hashes> {
  const extra = [...(await namedSetup(project)), ...loaded];
  const paths = [...project.files.keys()].filter(
    (path) => isProtected(path, rules, extra) && !isModule(path),
  );
  return hashFiles(repository, { commit: project.commit, paths });
}

/** Setup files that the runner configurations name, relative to the repository. */
async function namedSetup(project: Project): Promise<readonly string[]> {
  const configs = await project.texts([...project.files.keys()].filter(isRunnerConfig));
  const parse = await loadParser();
  return [...configs].flatMap(([path, text]) => {
    const folder = path.includes("/") ? path.slice(0, path.lastIndexOf("/") + 1) : "";
    return setupNames({ text, path, parse }).flatMap((name) => filesNamed(folder, name, project.files));
  });
}

/** Configuration files of the JavaScript runners; the first existing one is used. */
const configs: Readonly<Record<string, readonly RegExp[]>> = {
  // vitest also reads a vite configuration.
  vitest: [/^vitest\.config\.[cm]?[jt]s$/, /^vite\.config\.[cm]?[jt]s$/],
  jest: [/^jest\.config\.([cm]?[jt]s|json)$/, /^package\.json$/],
  mocha: [/^\.mocharc\.(cjs|js|mjs|ya?ml|jsonc?)$/, /^package\.json$/],
};

/** The runner's configuration file at the project's root. */
export async function configOf(project: Project, runner: string): Promise<string | null> {
  if (runner === "pytest") return pytestConfig(project);
  const names = [...project.files.keys()];
  const found = (configs[runner] ?? []).flatMap((pattern) => names.find((name) => pattern.test(name)) ?? []);
  const texts = await project.texts(found);
  const speaks = (name: string) => name !== "package.json" || runner in manifest(texts.get(name) ?? "{}");
  return found.find(speaks) ?? null;
}

/** pytest's lookup order; a file shared with other tools counts only if it configures pytest. */
async function pytestConfig(project: Project): Promise<string | null> {
  const names = [
    "pytest.toml",
    ".pytest.toml",
    "pytest.ini",
    ".pytest.ini",
    "pyproject.toml",
    "tox.ini",
    "setup.cfg",
  ];
  const texts = await project.texts(names);
  const speaks = (name: string) =>
    name.includes("pytest") || /^\[(tool[.:])?pytest\b/m.test(texts.get(name) ?? "");
  return names.find((name) => texts.has(name) && speaks(name)) ?? null;
}

export async function recordHashes(
  repository: Repository,
  project: Project,
  { config, frozen }: { readonly config: string | null; readonly frozen: Hashes | null },
): Promise<RecordDraft["hashes"]> {
  const lockfile = [...project.files.keys()].find((path) =>
    /^(package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|go\.sum|Cargo\.lock|poetry\.lock|uv\.lock|Pipfile\.lock)$/.test(
      path,
    ),
  );
  const paths = [config, lockfile].filter((path) => path != null);
  const found = await hashFiles(repository, { commit: project.commit, paths });
  return {
    protected: frozen,
    config: config === null ? null : (found[config] ?? null),
    lockfile: lockfile === undefined ? null : (found[lockfile] ?? null),
  };
}
