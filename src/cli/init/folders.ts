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
  const found = [...new Set(atTop.map((name) => `${name}/`)), ...joined(below(usual), packages)];
  // Packages of Go lie anywhere.
  const sources = [...found, ...(languages.includes("Go") && !holds("src") ? ["**/*.go"] : [])];
  return {
    sources: sources.join() === "src/" ? [] : sources.length > 0 ? sources : everywhere(files, languages),
    tests: joined(below(["test", "tests"]), packages),
  };
}

function pythonPackages(files: readonly string[]): readonly string[] {
  const names = files.flatMap((file) => /^([^/]+)\/__init__\.py$/u.exec(file)?.[1] ?? []);
  return names.filter((name) => !/^tests?$/u.test(name) && !usual.includes(name));
}

/** One pattern for the folders of sibling packages, so that the next package is known too. */
function joined(
  found: readonly (readonly [folder: string, name: string])[],
  packages: readonly string[],
): readonly string[] {
  const patterns = found.map(([folder, name]) => {
    const group = folder.split("/").slice(0, -1).join("/");
    const siblings = packages.filter((other) => other.split("/").slice(0, -1).join("/") === group);
    return group !== "" && siblings.length > 1 ? `${group}/*/${name}/` : `${folder}/${name}/`;
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
