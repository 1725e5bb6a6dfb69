/** The settings that judge a change: never those that the change itself brings. */
import { defaultSettings, loadSettings, parseSettings, type Settings } from "../config/settings.ts";
import { settingsFile } from "../config/settings-file.ts";
import type { Repository } from "../git/repository.ts";
import { withFoundPaths } from "../proof/project/found-paths.ts";
import type { Project } from "../proof/project/project.ts";

/** The settings of the base commit alone, for a machine that has only the commits. */
export async function committedSettings(both: {
  readonly base: Project;
  readonly head: Project;
}): Promise<Settings> {
  return withFoundPaths(await settingsAt(both.base), [both.base, both.head]);
}

/** The settings of the checkout, or of the base if the change touches `mettle.yaml`. */
export async function settingsForChange(
  { checkout }: Repository,
  { base, head }: { readonly base: Project; readonly head: Project },
): Promise<Settings> {
  const isTouched = base.files.get(settingsFile)?.blob !== head.files.get(settingsFile)?.blob;
  return withFoundPaths(isTouched ? await settingsAt(base) : await loadSettings(checkout), [base, head]);
}

async function settingsAt(project: Project): Promise<Settings> {
  const text = (await project.texts([settingsFile])).get(settingsFile);
  return text === undefined ? defaultSettings() : parseSettings(text);
}
