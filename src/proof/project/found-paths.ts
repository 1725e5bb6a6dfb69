/** Finds the folders of source and tests that the settings do not name, and the scripts that run the tests (SEE-10). */
import { defaultSettings, type Settings } from "../../config/settings.ts";
import { canonicalJson } from "../../lib/hash.ts";
import { fieldsOf, parseJson } from "../../lib/json.ts";
import { foldersOf, languagesOf } from "../../source/folders.ts";
import { joinBelow } from "../../source/module-paths.ts";
import { matchesAny, type PathRules } from "../../source/paths.ts";
import { sourceManifests, sourcesNamedIn } from "../../source/root-modules.ts";
import { isModule } from "../checkout/link-modules.ts";
import type { Project } from "./project.ts";

type Named = Pick<Settings, "paths" | "tests">;

/** @param projects commits whose files count; a folder of one of them is enough */
export async function withFoundPaths<Some extends Named>(
  settings: Some,
  projects: readonly Project[],
): Promise<Some> {
  const { paths } = settings;
  if (paths.rest === undefined) return settings;
  const files = [...new Set(projects.flatMap((project) => [...project.files.keys()]))].filter(
    (path) => !isModule(path),
  );
  const manifests = sourceManifests(files);
  const texts = (await Promise.all(projects.map((project) => project.texts(manifests)))).flatMap((all) => [
    ...all,
  ]);
  const named = texts.flatMap(([path, text]) => sourcesNamedIn(path, text));
  const found = foldersOf(files, languagesOf(files), named);
  const usual = defaultSettings().paths;
  const isUsual = canonicalJson(paths.tests) === canonicalJson(usual.tests);
  const tests = [...paths.tests, ...(isUsual ? found.tests : [])];
  const source = found.sources.length === 0 ? [...paths.source] : [...found.sources];
  const words = [
    ...texts.flatMap(([path, text]) =>
      wordsOfTestScripts(text).map((word) => [folderOf(path), word] as const),
    ),
    ...wordsOfCommands(settings).map((word) => ["", word] as const),
  ].map(([folder, word]) => joinBelow(folder, word));
  const configuration = scriptsIn(new Set(files), words, { tests, source });
  return { ...settings, paths: { tests, source, rest: { configuration: [...configuration] } } };
}

/** The scripts that the words name, each with its folder. */
function scriptsIn(
  files: ReadonlySet<string>,
  words: readonly string[],
  rules: PathRules,
): readonly string[] {
  const scripts = words.filter(
    (word) => files.has(word) && !matchesAny(word, [...rules.tests, ...rules.source]),
  );
  return [...new Set(scripts.map((path) => (path.includes("/") ? `${folderOf(path)}/` : path)))].toSorted();
}

function wordsOfTestScripts(manifest: string): readonly string[] {
  const scripts = fieldsOf(fieldsOf(parseJson(manifest))["scripts"]);
  return ["pretest", "test", "posttest"].flatMap((name) => wordsIn(scripts[name]));
}

function wordsOfCommands({ tests }: Named): readonly string[] {
  return [...(tests?.prepare ?? []), tests?.junit?.command].flatMap(wordsIn);
}

function wordsIn(command: unknown): readonly string[] {
  return typeof command === "string" ? command.split(/[\s"';&|()=]+/u).filter((word) => word !== "") : [];
}

function folderOf(path: string): string {
  return path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
}
