/** Detects a project's source and test folders where they differ from the default settings. Pure. */
import { matchesAny } from "./paths.ts";
import { isModuleName, rootModules } from "./root-modules.ts";

export interface Folders {
  /** Patterns for `paths.source`; empty where the default fits. */
  readonly sources: readonly string[];
  /** Patterns to add to the default `paths.tests`. */
  readonly tests: readonly string[];
}

const usual = ["src", "lib", "app"];
const manifests = /^(.+)\/(package\.json|pyproject\.toml|setup\.py|Cargo\.toml)$/u;
/** The source patterns of a language whose source is in no folder. */
const endings: Readonly<Record<string, string>> = {
  TypeScript: "**/*.{js,jsx,mjs,cjs,ts,tsx}",
  JavaScript: "**/*.{js,jsx,mjs,cjs}",
  Python: "**/*.py",
};

/** The languages of a project, by its file names. */
export function languagesOf(files: readonly string[]): readonly string[] {
  const has = (pattern: RegExp) => files.some((file) => pattern.test(file));
  return [
    ...(has(/(^|\/)tsconfig[^/]*\.json$|\.[cm]?tsx?$/u) ? ["TypeScript"] : []),
    ...(has(/\.[cm]?jsx?$/u) || (has(/^package\.json$/u) && !has(/\.[cm]?tsx?$/u)) ? ["JavaScript"] : []),
    ...(has(isPython) ? ["Python"] : []),
    ...(has(/(^|\/)go\.mod$/u) ? ["Go"] : []),
    ...(has(/(^|\/)Cargo\.toml$/u) ? ["Rust"] : []),
    ...(has(/(^|\/)(pom\.xml|build\.gradle(\.kts)?)$/u) ? ["Java"] : []),
    ...(has(/\.(csproj|sln)$/u) ? ["C#"] : []),
    ...(has(/(^|\/)Gemfile$/u) ? ["Ruby"] : []),
  ];
}

const isPython = /(^|\/)(pyproject\.toml|setup\.py|setup\.cfg|requirements[^/]*\.txt|Pipfile|[^/]+\.py)$/u;

/**
 * @param files relative paths
 * @param named source files that the manifests name
 */
export function foldersOf(
  files: readonly string[],
  languages: readonly string[],
  named: readonly string[] = [],
): Folders {
  const holds = (folder: string) => files.some((file) => file.startsWith(`${folder}/`));
  const packages = [...new Set(files.flatMap((file) => manifests.exec(file)?.[1] ?? []))].filter(
    (folder) => !/(^|\/)(fixtures|examples|testdata|tests?)(\/|$)/u.test(folder),
  );
  const below = (names: readonly string[]) =>
    packages.flatMap((folder) =>
      names.filter((name) => holds(`${folder}/${name}`)).map((name) => [folder, name] as const),
    );
  const isPythonBelow = files.some((file) => file.startsWith("src/") && file.endsWith(".py"));
  const atTop = [...usual.filter(holds), ...(isPythonBelow ? [] : pythonPackages(files))];
  const inFolders = [...new Set(atTop.map((name) => `${name}/`)), ...joined(below(usual), packages)];
  const beside = packages.flatMap((folder) =>
    rootModules(namesIn(files, folder), languages).map((name) => [folder, name] as const),
  );
  const found = [
    ...inFolders,
    ...joined(beside, packages).map(withoutSlash),
    ...foldersNamed(named, [...inFolders, ...packages.map((folder) => `${folder}/*.*`)], files),
  ];
  const isGoBelow = files.some(
    (file) => file.endsWith(".go") && !matchesAny(file, [...found, "**/*_test.go"]),
  );
  // Go packages may be in any folder.
  const go = languages.includes("Go") && isGoBelow ? ["**/*.go"] : [];
  const ownModules = rootModules(namesIn(files, ""), languages).filter(
    (name) => found.length + go.length > 0 || name.endsWith(".rs"),
  );
  const sources = withoutCovered([...found, ...go, ...ownModules]);
  return {
    sources: sources.join() === "src/" ? [] : sources.length > 0 ? sources : everywhere(files, languages),
    tests: [...joined(below(["test", "tests"]), packages), ...testScripts(files, packages)],
  };
}

/** Removes patterns that another pattern covers. */
function withoutCovered(patterns: readonly string[]): readonly string[] {
  return patterns.filter((one) => !patterns.some((other) => other !== one && matchesAny(one, [other])));
}

/** Names of the files directly in a folder. */
function namesIn(files: readonly string[], folder: string): readonly string[] {
  const start = folder === "" ? "" : `${folder}/`;
  const inside = files.filter((file) => file.startsWith(start)).map((file) => file.slice(start.length));
  return inside.filter((name) => !name.includes("/"));
}

/** The folders of files that the manifests name, where no other rule finds source. */
function foldersNamed(
  named: readonly string[],
  known: readonly string[],
  files: readonly string[],
): readonly string[] {
  const left = named.filter(
    (file) => files.includes(file) && file.includes("/") && isModuleName(file) && !matchesAny(file, known),
  );
  return [...new Set(left.map((file) => file.slice(0, file.lastIndexOf("/") + 1)))];
}

function pythonPackages(files: readonly string[]): readonly string[] {
  const names = files.flatMap((file) => /^([^/]+)\/__init__\.py$/u.exec(file)?.[1] ?? []);
  return names.filter(
    (name) => !/^(tests?|docs?|examples?|scripts|tools|benchmarks?)$/u.test(name) && !usual.includes(name),
  );
}

/** `test.js` beside a package.json, including the root. */
function testScripts(files: readonly string[], packages: readonly string[]): readonly string[] {
  const names = (folder: string) =>
    files.filter(
      (file) => file.startsWith(folder) && /^test\.[cm]?[jt]sx?$/u.test(file.slice(folder.length)),
    );
  const inside = packages.flatMap((folder) =>
    names(`${folder}/`).map((file) => [folder, file.slice(folder.length + 1)] as const),
  );
  return [...names(""), ...joined(inside, packages).map(withoutSlash)];
}

/** Combines the folders of sibling packages into one pattern, which also covers future packages. */
function joined(
  found: readonly (readonly [folder: string, name: string])[],
  packages: readonly string[],
): readonly string[] {
  const patterns = found.map(([folder, name]) => {
    const group = folder.split("/").slice(0, -1).join("/");
    const siblings = packages.filter((other) => other.split("/").slice(0, -1).join("/") === group);
    const own = group !== "" && siblings.length > 1 ? `${group}/*` : folder;
    return `${own}/${name}/`;
  });
  return [...new Set(patterns)];
}

function withoutSlash(pattern: string): string {
  return pattern.replace(/\/$/u, "");
}

/** Patterns by file extension, for languages whose source is in no folder. */
function everywhere(files: readonly string[], languages: readonly string[]): readonly string[] {
  const isSource = (file: string) =>
    /\.([cm]?[jt]sx?|py)$/u.test(file) &&
    !/(^|\/)(tests?|__tests__)\/|\.(test|spec|config)\.|(^|\/)test_|_test\.py$/u.test(file);
  if (!files.some(isSource)) return [];
  const patterns = languages.flatMap((name) => endings[name] ?? []);
  return patterns.filter((pattern) => pattern !== endings["JavaScript"] || !languages.includes("TypeScript"));
}
