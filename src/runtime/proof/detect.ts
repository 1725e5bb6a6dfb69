/** Finds the test runner of a project (CORE-21): setting, configuration, dependencies, imports of its tests, in this order. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { jest } from "../../evidence/runners/jest.ts";
import { runners } from "../../evidence/runners/registry.ts";
import type { Runner } from "../../evidence/runner.ts";
import { importsOf } from "../../gates/imports.ts";
import { kindOf, type PathRules } from "../../gates/paths.ts";
import { readScript } from "../../gates/script.ts";
import { AppError } from "../../lib/errors.ts";
import { isModule } from "./checkout.ts";
import { foreignTestFiles, importedRunners, requiredRunners } from "./detect-languages.ts";
import type { Repository } from "../../git/repository.ts";
import { findProgram, type FoundProgram } from "./programs.ts";
import { jestFor } from "./jest-modules.ts";
import { projectAt, type Project } from "./project.ts";

export interface FoundRunner {
  readonly name: string;
  readonly runner: Runner;
  /** Absolute path of its entry in the main checkout's dependencies; null where node itself is the runner. */
  readonly entry: string | null;
  readonly version: string | null;
  /** What starts it; null where node does. */
  readonly program: FoundProgram | null;
}

export interface Detection {
  readonly repository: Repository;
  readonly commit: string;
  readonly settings: { readonly runner?: string | null | undefined; readonly paths: PathRules };
}

/** Throws `runner_missing` (exit 5) or `runner_ambiguous` (exit 2). */
export async function detectRunner({ repository, commit, settings }: Detection): Promise<FoundRunner> {
  return runnerOf(repository, await projectAt(repository, commit), settings);
}

export async function runnerOf(
  repository: Repository,
  project: Project,
  settings: Detection["settings"],
): Promise<FoundRunner> {
  const name = await runnerName(project, settings);
  const runner = runners[name];
  if (runner === undefined)
    throw new AppError("runner_missing", `the runner ${name} is not supported yet`, {
      hint: `supported: ${Object.keys(runners).join(", ")}; set \`runner\` in mettle.yaml`,
      detail: { runner: name },
    });
  return located(runner === jest ? await jestFor(project) : runner, repository);
}

/** What it is called; whether it is installed is another question. */
export async function runnerName(
  project: Project,
  { runner, paths }: Detection["settings"],
): Promise<string> {
  if (runner != null && runner !== "auto") return aliases[runner] ?? runner;
  const steps = [
    () => fromConfig(project),
    async () => [...(await fromDependencies(project)), ...(await requiredRunners(project))],
    async () => [...(await fromImports(project, paths)), ...(await importedRunners(project, paths))],
  ];
  for (const step of steps) {
    const found = [...new Set(await step())];
    const [only] = found;
    if (only !== undefined && found.length === 1) return only;
    if (found.length > 1)
      throw new AppError("runner_ambiguous", `several test runners are possible: ${found.join(", ")}`, {
        hint: `name one in mettle.yaml: \`runner: ${found[0]}\``,
        detail: { candidates: found },
      });
  }
  throw new AppError("runner_missing", "no test runner was found", {
    hint: `set \`runner\` in mettle.yaml to one of ${Object.keys(runners).join(", ")}`,
  });
}

const aliases: Readonly<Record<string, string>> = {
  node: "node:test",
  "node-test": "node:test",
  "go test": "go",
  "cargo test": "cargo",
};

/** File names that belong to one runner. */
const configs: readonly (readonly [RegExp, string])[] = [
  [/^vitest\.(config|workspace)\.[cm]?[jt]s$/, "vitest"],
  [/^jest\.config\.([cm]?[jt]s|json)$/, "jest"],
  [/^\.mocharc(\..+)?$/, "mocha"],
  [/^(\.?pytest\.(ini|toml)|conftest\.py)$/, "pytest"],
  [/^go\.mod$/, "go"],
  [/^Cargo\.toml$/, "cargo"],
];

async function fromConfig(project: Project): Promise<readonly string[]> {
  const names = roots(project);
  const own = names.flatMap((name) =>
    configs.filter(([pattern]) => pattern.test(name)).map(([, runner]) => runner),
  );
  const texts = await project.texts(
    names.filter((name) =>
      /^(vite\.config\.[cm]?[jt]s|pyproject\.toml|tox\.ini|setup\.cfg|package\.json)$/.test(name),
    ),
  );
  for (const [name, text] of texts) {
    if (name.startsWith("vite") && /(?<![\w$.])test\s*:\s*\{/.test(readScript(text).code)) own.push("vitest");
    if (name === "pyproject.toml" && text.includes("[tool.pytest")) own.push("pytest");
    if (name === "tox.ini" && text.includes("[pytest]")) own.push("pytest");
    if (name === "setup.cfg" && text.includes("[tool:pytest]")) own.push("pytest");
    if (name === "package.json" && "jest" in manifest(text)) own.push("jest");
    if (name === "package.json" && "mocha" in manifest(text)) own.push("mocha");
  }
  return own;
}

async function fromDependencies(project: Project): Promise<readonly string[]> {
  const text = (await project.texts(["package.json"])).get("package.json");
  const { devDependencies, dependencies } = manifest(text ?? "{}");
  const named = new Set(
    [devDependencies, dependencies].flatMap((list) => (isObject(list) ? Object.keys(list) : [])),
  );
  return ["vitest", "jest", "mocha"].filter((name) => named.has(name));
}

const modules: Readonly<Record<string, string>> = {
  vitest: "vitest",
  "node:test": "node:test",
  test: "node:test",
  "@jest/globals": "jest",
  mocha: "mocha",
};

async function fromImports(project: Project, rules: PathRules): Promise<readonly string[]> {
  const texts = await project.texts(scriptsOfTests(project, rules));
  const found = [...texts].flatMap(([, text]) =>
    importsOf(readScript(text)).flatMap(({ from }) => modules[from] ?? []),
  );
  return found.toSorted();
}

/** Test files as this runner understands them, in git's order; fixtures are material, not tests. */
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

/** Runners whose `it` and `describe` are there without being imported. */
const global: readonly string[] = ["jest", "mocha"];

function holdsTests(text: string, runner: string): boolean {
  const script = readScript(text);
  const used = importsOf(script).flatMap(({ from }) => modules[from] ?? []);
  if (used.includes(runner))
    return /(?<![\p{L}\p{N}_$.])(?:it|test|describe|suite)\s*[.(]/u.test(script.code);
  // A helper that is handed on may call them too, but not at the top.
  return (
    used.length === 0 && global.includes(runner) && /^(?:it|test|describe|suite)\s*[.(]/mu.test(script.code)
  );
}

/** Scripts in test paths, and any file that every runner of JavaScript takes for a test. */
function scriptsOfTests(project: Project, rules: PathRules): readonly string[] {
  return [...project.files.keys()].filter(
    (path) =>
      /\.[cm]?[jt]sx?$/.test(path) &&
      !/\.d\.[cm]?ts$/.test(path) &&
      !isModule(path) &&
      !/(^|\/)(fixtures|__fixtures__|__snapshots__|testdata)\//.test(path) &&
      (kindOf(path, rules) === "test" || /\.(test|spec)\.[cm]?[jt]sx?$/.test(path)),
  );
}

async function located(runner: Runner, repository: Repository): Promise<FoundRunner> {
  const { name, program: starter } = runner;
  if (starter !== undefined) {
    const projects = [repository.root, repository.checkout];
    const program = await findProgram({ ...runner, program: starter }, { path: repository.path, projects });
    return { name, runner, entry: null, version: program.version, program };
  }
  if (runner.entry === null) return { name, runner, entry: null, version: null, program: null };
  for (const checkout of new Set([repository.checkout, repository.root])) {
    const entry = join(checkout, runner.entry);
    const manifestFile = join(checkout, "node_modules", runner.name, "package.json");
    const text = await readFile(manifestFile, "utf8").catch(() => null); // not installed there
    const { version } = manifest(text ?? "{}");
    if (text !== null)
      return { name, runner, entry, version: typeof version === "string" ? version : null, program: null };
  }
  throw new AppError("runner_missing", `${runner.name} is the project's runner, but it is not installed`, {
    hint: "install the project's dependencies in the main checkout, e.g. `npm ci`",
    detail: { runner: runner.name },
  });
}

function roots(project: Project): readonly string[] {
  return [...project.files.keys()].filter((path) => !path.includes("/"));
}

function manifest(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {}; // a broken package.json names no runner
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
