/** Finds the test files of a project, and the runners that its tests import. */
import type { Runner } from "../../evidence/runner.ts";
import { importsOf } from "../../source/imports.ts";
import { kindOf, type PathRules } from "../../source/paths.ts";
import { readScript } from "../../source/script.ts";
import { isModule } from "../checkout/link-modules.ts";
import { foreignTestFiles } from "./detect-languages.ts";
import type { Project } from "./project.ts";

const modules: Readonly<Record<string, string>> = {
  vitest: "vitest",
  "node:test": "node:test",
  test: "node:test",
  "@jest/globals": "jest",
  mocha: "mocha",
  "bun:test": "bun",
};

/** Runners that scripts in test paths import. */
export async function importedByScripts(project: Project, rules: PathRules): Promise<readonly string[]> {
  const texts = await project.texts(scriptsOfTests(project, rules));
  const found = [...texts].flatMap(([, text]) =>
    importsOf(readScript(text)).flatMap(({ from }) => modules[from] ?? []),
  );
  return found.toSorted();
}

/** Test files of this runner, in git's order, without fixtures. */
export async function testFilesOf(
  project: Project,
  rules: PathRules,
  runner: Runner,
): Promise<readonly string[]> {
  const foreign = await foreignTestFiles(project, rules, runner);
  if (foreign !== null) return foreign;
  const scripts = scriptsOfTests(project, rules);
  const named = scripts.filter((path) => kindOf(path, { tests: runner.testFiles, source: [] }) === "test");
  const texts = await project.texts(scripts.filter((path) => !named.includes(path)));
  const holding = [...texts].filter(([, text]) => holdsTests(text, runner.name)).map(([path]) => path);
  const taken = new Set([...named, ...holding]);
  return scripts.filter((path) => taken.has(path));
}

/** Runners with global `it` and `describe`. */
const global: readonly string[] = ["jest", "mocha"];

function holdsTests(text: string, runner: string): boolean {
  const script = readScript(text);
  const used = importsOf(script).flatMap(({ from }) => modules[from] ?? []);
  if (used.includes(runner))
    return /(?<![\p{L}\p{N}_$.])(?:it|test|describe|suite)\s*[.(]/u.test(script.code);
  // A shared helper may call them too, but not at its top level.
  return (
    used.length === 0 && global.includes(runner) && /^(?:it|test|describe|suite)\s*[.(]/mu.test(script.code)
  );
}

/** Scripts in test paths, and all files that every JavaScript runner treats as tests. */
export function scriptsOfTests(project: Project, rules: PathRules): readonly string[] {
  return [...project.files.keys()].filter(
    (path) =>
      /\.[cm]?[jt]sx?$/.test(path) &&
      !/\.d\.[cm]?ts$/.test(path) &&
      !isModule(path) &&
      !/(^|\/)(fixtures|__fixtures__|__snapshots__|testdata)\//.test(path) &&
      (kindOf(`${project.prefix}${path}`, rules) === "test" ||
        /(^test|\.test|\.spec)\.[cm]?[jt]sx?$/.test(path)),
  );
}
