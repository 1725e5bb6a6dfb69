/** The settings that judge a change: never those that the change itself brings. */
import { defaultSettings, loadSettings, parseSettings, type Settings } from "../config/settings.ts";
import { settingsFile } from "../config/settings-file.ts";
import type { Repository } from "../git/repository.ts";
import { canonicalJson } from "../lib/hash.ts";
import type { Project } from "../proof/project/project.ts";
import { foldersOf, languagesOf } from "../source/folders.ts";
import type { PathRules } from "../source/paths.ts";
import { namedSources } from "../source/root-modules.ts";

/** The settings of the base commit alone, for a machine that has only the commits. */
export async function committedSettings(both: {
  readonly base: Project;
  readonly head: Project;
}): Promise<Settings> {
  return withPaths(await settingsAt(both.base), both);
}

/** The settings of the checkout, or of the base if the change touches `mettle.yaml`. */
export async function settingsForChange(
  { checkout }: Repository,
  { base, head }: { readonly base: Project; readonly head: Project },
): Promise<Settings> {
  const isTouched = base.files.get(settingsFile)?.blob !== head.files.get(settingsFile)?.blob;
  return withPaths(isTouched ? await settingsAt(base) : await loadSettings(checkout), { base, head });
}

/** Detects the folders that the settings do not name. */
async function withPaths(
  settings: Settings,
  { base, head }: { readonly base: Project; readonly head: Project },
): Promise<Settings> {
  const isSilent = canonicalJson(settings.paths) === canonicalJson(defaultSettings().paths);
  return isSilent ? { ...settings, paths: await pathsIn([base, head], settings.paths) } : settings;
}

async function settingsAt(project: Project): Promise<Settings> {
  const text = (await project.texts([settingsFile])).get(settingsFile);
  return text === undefined ? defaultSettings() : parseSettings(text);
}

/** Detects source and test folders like `mettle init`. */
async function pathsIn(projects: readonly Project[], usual: PathRules): Promise<Settings["paths"]> {
  const files = [...new Set(projects.flatMap((project) => [...project.files.keys()]))].filter(
    (path) => !path.split("/").includes("node_modules"),
  );
  const manifests = files.filter((path) => /(^|\/)(package\.json|Cargo\.toml)$/u.test(path)).slice(0, 50);
  const named = new Set<string>();
  for (const project of projects)
    for (const [path, text] of await project.texts(manifests)) {
      const at = path.lastIndexOf("/") + 1;
      for (const name of namedSources(path.slice(at), text)) named.add(`${path.slice(0, at)}${name}`);
    }
  const { sources, tests } = foldersOf(files, languagesOf(files), [...named]);
  return {
    tests: [...usual.tests, ...tests],
    source: sources.length === 0 ? [...usual.source] : [...sources],
  };
}
