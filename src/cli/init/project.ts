/** Detects languages, test runners and agents on PATH from files alone. Starts no program. */
import { access, constants, readdir, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";
import { defaultSettings } from "../../config/settings.ts";
import { AppError } from "../../lib/errors.ts";
import { fieldsOf, parseJson } from "../../lib/json.ts";
import { packageRunners } from "../../proof/project/packages.ts";
import { foldersOf, languagesOf } from "../../source/folders.ts";
import { sourceManifests, sourcesNamedIn } from "../../source/root-modules.ts";
import { readPlainFile } from "../../lib/plain-file.ts";

export interface InitProject {
  readonly languages: readonly string[];
  /** Names of evidence/runners for supported runners, else the runner's own name. */
  readonly runners: readonly string[];
  /** The runner of the whole repository; null if there is none, or several. */
  readonly runner: string | null;
  /** Folder -> runner, if packages have different runners. */
  readonly packages: Readonly<Record<string, string>>;
  /** Programs on PATH that are agents. */
  readonly agents: readonly string[];
  /** `mettle` is on PATH, where the hooks call it. */
  readonly hasMettle: boolean;
  /** Patterns for the settings; see folders.ts. */
  readonly tests: readonly string[];
  readonly sources: readonly string[];
}

export async function readProject(root: string, path: string): Promise<InitProject> {
  const files = await walk(root);
  const has = (pattern: RegExp) => files.some((file) => pattern.test(file));
  const manifest = await readManifest(root);
  const languages = languagesOf(files);
  const python = languages.includes("Python");
  const named = [
    ...javaScriptRunners(manifest, has),
    ...((await usesNodeTest(root, files, manifest)) ? ["node:test"] : []),
    ...(python ? [(await usesPytest(root, files)) ? "pytest" : "unittest"] : []),
    ...(languages.includes("Go") ? ["go"] : []),
    ...(languages.includes("Rust") ? ["cargo"] : []),
  ];
  const found = await runnersOf(root, files);
  const { ".": only, ...inner } = found;
  const isOne = only !== undefined && Object.keys(inner).length === 0;
  return {
    languages,
    runners: [...new Set([...named, ...Object.values(found)])],
    runner: isOne ? only : null,
    packages: isOne ? {} : found,
    agents: await programsOn(path, ["claude", "codex", "gemini", "opencode"]),
    hasMettle: (await programsOn(path, ["mettle"])).length > 0,
    ...foldersOf(files, languages, await sourcesNamed(root, files)),
  };
}

/** Source files that the manifests name, from the root. */
async function sourcesNamed(root: string, files: readonly string[]): Promise<readonly string[]> {
  const lists = sourceManifests(files).map(async (file) =>
    sourcesNamedIn(file, await read(join(root, file))),
  );
  return (await Promise.all(lists)).flat();
}

/** Detects runners like a run, but in the checkout: the files may not be committed yet. */
async function runnersOf(root: string, files: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const texts = async (paths: readonly string[]) =>
    // Unreadable files are skipped.
    new Map(await Promise.all(paths.map(async (path) => [path, await read(join(root, path))] as const)));
  const list = new Map(files.map((path) => [path, { path, mode: "100644", blob: "" }]));
  try {
    const project = { commit: "", tree: "", prefix: "", files: list, texts };
    const found = [...(await packageRunners(project, defaultSettings()))];
    return Object.fromEntries(
      found.flatMap(([prefix, name]) =>
        name === null ? [] : [[prefix === "" ? "." : prefix.slice(0, -1), name]],
      ),
    );
  } catch (error) {
    if (error instanceof AppError) return {}; // none, or several
    throw error;
  }
}

function read(file: string): Promise<string> {
  return readPlainFile(file).then((text) => text ?? "");
}

async function programsOn(path: string, names: readonly string[]): Promise<readonly string[]> {
  const places = path.split(delimiter).filter((folder) => isAbsolute(folder));
  const found: string[] = [];
  for (const name of names) {
    const hits = await Promise.all(places.map((folder) => isProgram(join(folder, name))));
    if (hits.some(Boolean)) found.push(name);
  }
  return found;
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false; // missing, or not accessible
  }
}

interface Manifest {
  readonly dependencies: ReadonlySet<string>;
  readonly testScript: string;
}

async function readManifest(root: string): Promise<Manifest | null> {
  const value = parseJson((await readPlainFile(join(root, "package.json"))) ?? "");
  if (value === null) return null; // no package.json, or an invalid one
  const manifest = fieldsOf(value);
  const names = ["dependencies", "devDependencies"].flatMap((key) => Object.keys(fieldsOf(manifest[key])));
  const script = fieldsOf(manifest["scripts"])["test"];
  return { dependencies: new Set(names), testScript: typeof script === "string" ? script : "" };
}

function javaScriptRunners(manifest: Manifest | null, has: (pattern: RegExp) => boolean): readonly string[] {
  const settings = {
    vitest: /(^|\/)vitest\.config\.[cm]?[jt]s$/u,
    jest: /(^|\/)jest\.config\.[cm]?[jt]s$/u,
    mocha: /(^|\/)mocha\.config\.[cm]?[jt]s$/u,
    ava: /(^|\/)ava\.config\.[cm]?[jt]s$/u,
  };
  return Object.entries(settings).flatMap(([name, pattern]) =>
    manifest?.dependencies.has(name) === true || has(pattern) ? [name] : [],
  );
}

async function usesNodeTest(
  root: string,
  files: readonly string[],
  manifest: Manifest | null,
): Promise<boolean> {
  if (/\bnode\b.*--test\b/u.test(manifest?.testScript ?? "")) return true;
  const tests = files.filter((file) => /(\.|-|_|\/)tests?(\.[cm]?[jt]s|\/.*\.[cm]?[jt]s)$/u.test(file));
  return anyContains({ root, files: tests, pattern: /["']node:test["']/u });
}

async function usesPytest(root: string, files: readonly string[]): Promise<boolean> {
  if (files.some((file) => /(^|\/)(pytest\.ini|conftest\.py)$/u.test(file))) return true;
  const configs = files.filter((file) =>
    /(^|\/)(pyproject\.toml|setup\.cfg|tox\.ini|requirements[^/]*\.txt|Pipfile)$/u.test(file),
  );
  const tests = files.filter((file) => /(^|\/)test_[^/]*\.py$/u.test(file));
  return (
    (await anyContains({ root, files: configs, pattern: /\bpytest\b/u })) ||
    anyContains({ root, files: tests, pattern: /^\s*(import pytest|from pytest|def test_)/mu })
  );
}

interface Search {
  readonly root: string;
  readonly files: readonly string[];
  readonly pattern: RegExp;
}

async function anyContains({ root, files, pattern }: Search): Promise<boolean> {
  for (const file of files.slice(0, 50)) {
    // Unreadable files are skipped.
    const text = await read(join(root, file));
    if (pattern.test(text)) return true;
  }
  return false;
}

const maxFiles = 5_000;
const skipped = new Set(["node_modules", "dist", "build", "target", "vendor", "venv", "coverage"]);

/** Relative paths, breadth first, so that the limit cuts off the deepest files of a large project. */
async function walk(root: string): Promise<readonly string[]> {
  const files: string[] = [];
  const queue = [""];
  for (let folder = queue.shift(); folder !== undefined && files.length < maxFiles; folder = queue.shift()) {
    const below = folder;
    // Unreadable folders are skipped.
    const entries = await readdir(join(root, below), { withFileTypes: true }).catch(() => []);
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const name = below === "" ? entry.name : `${below}/${entry.name}`;
      if (entry.isFile()) files.push(name);
      else if (entry.isDirectory() && !entry.name.startsWith(".") && !skipped.has(entry.name))
        queue.push(name);
    }
  }
  return files;
}
