/** Where a project keeps its source and its tests, where that is not what the settings take for granted. Pure. */
export interface Folders {
  /** Patterns for `paths.source`; empty where the default suits. */
  readonly sources: readonly string[];
  /** Patterns beside the default ones of `paths.tests`. */
  readonly tests: readonly string[];
}

const usual = ["src", "lib", "app"];
const manifests = /^(.+)\/(package\.json|pyproject\.toml|setup\.py|Cargo\.toml)$/u;
/** What a language's source is where no folder holds it. */
const endings: Readonly<Record<string, string>> = {
  TypeScript: "**/*.{js,jsx,mjs,cjs,ts,tsx}",
  JavaScript: "**/*.{js,jsx,mjs,cjs}",
  Python: "**/*.py",
};

/** @param files relative paths */
export function foldersOf(files: readonly string[], languages: readonly string[]): Folders {
  const holds = (folder: string) => files.some((file) => file.startsWith(`${folder}/`));
  const packages = [...new Set(files.flatMap((file) => manifests.exec(file)?.[1] ?? []))].filter(
    (folder) => !/(^|\/)(fixtures|examples|testdata|tests?)(\/|$)/u.test(folder),
  );
  const below = (names: readonly string[]) =>
    packages.flatMap((folder) =>
      names.filter((name) => holds(`${folder}/${name}`)).map((name) => [folder, name] as const),
    );
  const atTop = [...usual.filter(holds), ...(holds("src") ? [] : pythonPackages(files))];
  const found = [
    ...new Set(atTop.map((name) => `${name}/`)),
    ...joined(below(usual), packages),
    ...joined(beside(files, packages, usual), packages).map((folder) => `${folder}*.{js,jsx,mjs,cjs,ts,tsx}`),
  ];
  // Packages of Go lie anywhere.
  const sources = [...found, ...(languages.includes("Go") && !holds("src") ? ["**/*.go"] : [])];
  return {
    sources: sources.join() === "src/" ? [] : sources.length > 0 ? sources : everywhere(files, languages),
    tests: [...joined(below(["test", "tests"]), packages), ...testScripts(files, packages)],
  };
}

function pythonPackages(files: readonly string[]): readonly string[] {
  const names = files.flatMap((file) => /^([^/]+)\/__init__\.py$/u.exec(file)?.[1] ?? []);
  return names.filter((name) => !/^tests?$/u.test(name) && !usual.includes(name));
}

/** Packages whose modules stand beside their package.json, and in no folder of their own. */
function beside(files: readonly string[], packages: readonly string[], folders: readonly string[]) {
  const isScript = (folder: string, file: string) => {
    const name = file.slice(folder.length + 1);
    return file.startsWith(`${folder}/`) && /^[^/]+$/u.test(name) && scripts.test(name) && !isTest(name);
  };
  return packages
    .filter((folder) => !folders.some((name) => files.some((file) => file.startsWith(`${folder}/${name}/`))))
    .filter((folder) => files.some((file) => isScript(folder, file)))
    .map((folder) => [folder, ""] as const);
}

const scripts = /\.[cm]?[jt]sx?$/u;

function isTest(name: string): boolean {
  return /^test\.|\.(test|spec|config)\./u.test(name);
}

/** `test.js` beside a package.json, at the root too. */
function testScripts(files: readonly string[], packages: readonly string[]): readonly string[] {
  const names = (folder: string) =>
    files.filter(
      (file) => file.startsWith(folder) && /^test\.[cm]?[jt]sx?$/u.test(file.slice(folder.length)),
    );
  const inside = packages.flatMap((folder) =>
    names(`${folder}/`).map((file) => [folder, file.slice(folder.length + 1)] as const),
  );
  return [...names(""), ...joined(inside, packages).map((pattern) => pattern.replace(/\/$/u, ""))];
}

/** One pattern for the folders of sibling packages, so that the next package is known too. */
function joined(
  found: readonly (readonly [folder: string, name: string])[],
  packages: readonly string[],
): readonly string[] {
  const patterns = found.map(([folder, name]) => {
    const group = folder.split("/").slice(0, -1).join("/");
    const siblings = packages.filter((other) => other.split("/").slice(0, -1).join("/") === group);
    const own = group !== "" && siblings.length > 1 ? `${group}/*` : folder;
    return name === "" ? `${own}/` : `${own}/${name}/`;
  });
  return [...new Set(patterns)];
}

/** By its endings, where there is source and no folder for it. */
function everywhere(files: readonly string[], languages: readonly string[]): readonly string[] {
  const isSource = (file: string) =>
    /\.([cm]?[jt]sx?|py)$/u.test(file) &&
    !/(^|\/)(tests?|__tests__)\/|\.(test|spec|config)\.|(^|\/)test_|_test\.py$/u.test(file);
  if (!files.some(isSource)) return [];
  const patterns = languages.flatMap((name) => endings[name] ?? []);
  return patterns.filter((pattern) => pattern !== endings["JavaScript"] || !languages.includes("TypeScript"));
}
