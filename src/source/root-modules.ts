/** Modules beside a package's manifest, outside of every source folder. Pure. */
import { parseJson } from "../lib/json.ts";
import { joinBelow } from "./module-paths.ts";

/** File names of a language's modules and tests, and other files with the same extension. */
const kinds: readonly {
  readonly languages: readonly string[];
  readonly glob: string;
  readonly ending: RegExp;
  readonly test: RegExp | null;
  readonly other: RegExp;
}[] = [
  {
    languages: ["TypeScript", "JavaScript"],
    glob: "*.{js,jsx,mjs,cjs,ts,tsx}",
    ending: /\.[cm]?[jt]sx?$/u,
    test: /^test\.|\.(test|spec)\./u,
    other:
      /^\.|^tests\.|[.-](config|conf|setup)\.|^(vitest|vite|jest|Gruntfile|gulpfile|Jakefile|rollup|webpack|karma|babel|setup-?tests?|test-?setup)\b/iu,
  },
  {
    languages: ["Python"],
    glob: "*.py",
    ending: /\.py$/u,
    test: /^test_|_test\.py$/u,
    other: /^(setup|conftest|noxfile|fabfile|tasks|conf|versioneer|wscript|__init__)\.py$/u,
  },
  { languages: ["Rust"], glob: "*.rs", ending: /\.rs$/u, test: null, other: /^build\.rs$/u },
];

/** With more modules than this, a pattern by extension is used, whatever other files exist. */
const maxNamed = 5;

/**
 * Patterns relative to the folder: the modules' extension where no other file has it, which covers future modules, else each
 * module by name.
 * @param names of the files in the folder
 */
export function rootModules(names: readonly string[], languages: readonly string[]): readonly string[] {
  return kinds
    .filter((kind) => kind.languages.some((one) => languages.includes(one)))
    .flatMap(({ glob, ending, test, other }) => {
      const own = names.filter((name) => ending.test(name) && test?.test(name) !== true);
      const modules = own.filter((name) => !other.test(name));
      const areAll = modules.length > 0 && modules.length === own.length;
      return areAll || modules.length > maxNamed ? [glob] : modules;
    });
}

/** Whether a file is a module by its name, in any folder. */
export function isModuleName(name: string): boolean {
  return kinds.some(({ ending, other }) => ending.test(name) && !other.test(name.split("/").at(-1) ?? name));
}

/** The manifests that may name source files; of many only the first. */
export function sourceManifests(files: readonly string[]): readonly string[] {
  return files.filter((file) => /(^|\/)(package\.json|Cargo\.toml)$/u.test(file)).slice(0, 50);
}

/** Source files that a manifest names, from the root. @param path of the manifest */
export function sourcesNamedIn(path: string, text: string): readonly string[] {
  const at = path.lastIndexOf("/") + 1;
  return namedSources(path.slice(at), text).map((name) => joinBelow(path.slice(0, at), name));
}

/** Source files that a manifest names: exports and programs of a package.json, library and programs of a Cargo.toml. */
export function namedSources(name: string, text: string): readonly string[] {
  const found = name === "package.json" ? ofPackage(text) : name === "Cargo.toml" ? ofCrate(text) : [];
  return found.map((path) => path.replace(/^\.\//u, ""));
}

function ofPackage(text: string): readonly string[] {
  const { main, module, browser, exports, bin } = Object(parseJson(text));
  return [main, module, browser, exports, bin].flatMap(strings);
}

function strings(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(strings) : [];
}

/** `path` in the sections of the library and the programs. */
function ofCrate(text: string): readonly string[] {
  const sections = text.split(/^(?=\s*\[)/mu).filter((part) => /^\s*\[{1,2}\s*(lib|bin)\s*\]/u.test(part));
  return sections.flatMap((part) => /^\s*path\s*=\s*["']([^"'\n]+)["']/mu.exec(part)?.[1] ?? []);
}
