/**
 * Detects the test runner of one package by its configuration, test command, dependencies and imports, in this order
 * (CORE-21).
 */
import { runners } from "../../evidence/runners/registry.ts";
import type { PathRules } from "../../source/paths.ts";
import { readScript } from "../../source/script.ts";
import { AppError } from "../../lib/errors.ts";
import { importedRunners, requiredRunners } from "./detect-languages.ts";
import { dependenciesIn, manifest, testScript } from "./manifest.ts";
import type { Project } from "./project.ts";
import { testCommands } from "./test-command.ts";
import { importedByScripts } from "./test-files.ts";

export interface Evidence {
  /** The step that found runners; null where none did. */
  readonly step: "configuration" | "command" | "dependencies" | "imports" | null;
  /** Runners that are equally likely. */
  readonly names: readonly string[];
}

export async function evidenceOf(project: Project, paths: PathRules): Promise<Evidence> {
  const started = startedRunners(await packageText(project));
  const steps = [
    ["configuration", async () => decidedBy(started, await fromConfig(project))],
    ["command", async () => started],
    ["dependencies", async () => [...(await fromDependencies(project)), ...(await requiredRunners(project))]],
    [
      "imports",
      async () => [...(await importedByScripts(project, paths)), ...(await importedRunners(project, paths))],
    ],
  ] as const;
  for (const [step, look] of steps) {
    const names = [...new Set(await look())];
    if (names.length > 0) return { step, names };
  }
  return { step: null, names: [] };
}

/** The runner's name for a repository of one package, whether or not it is installed. */
export async function onlyRunner(project: Project, paths: PathRules): Promise<string> {
  const { names } = await evidenceOf(project, paths);
  const [only] = names;
  if (only === undefined) throw await noRunner(project);
  if (names.length > 1) throw ambiguous(names, null);
  return only;
}

/** Names what `npm test` starts, where that is no runner that is known here. */
export async function noRunner(project: Project): Promise<AppError> {
  const names = Object.keys(runners);
  const script = testScript(await packageText(project));
  if (script === null)
    return new AppError("runner_not_found", "no test runner was found", {
      hint: `set \`runner\` in mettle.yaml to one of ${names.join(", ")}`,
    });
  return new AppError(
    "runner_not_found",
    `no known test runner was found: \`npm test\` starts \`${script}\``,
    {
      hint: `a runner that can write XML of JUnit is judged by \`runner: junit\` with its command in mettle.yaml (docs/runners.md); the others are ${names.filter((name) => name !== "junit").join(", ")}`,
      detail: { script },
    },
  );
}

/** @param prefix of the package; null where the repository is one package */
export function ambiguous(candidates: readonly string[], prefix: string | null): AppError {
  const folder = prefix === null ? null : prefix === "" ? "." : prefix.slice(0, -1);
  const [first = ""] = candidates;
  const where = folder === null ? "" : folder === "." ? " at the root" : ` in ${folder}`;
  const line =
    folder === null
      ? `runner: ${first}`
      : `packages: { ${JSON.stringify(folder)}: ${JSON.stringify(first)} }`;
  return new AppError(
    "runner_ambiguous",
    `several test runners are possible${where}: ${candidates.join(", ")}`,
    {
      hint: `name one in mettle.yaml: \`${line}\``,
      detail: { candidates, ...(folder === null ? {} : { package: folder }) },
    },
  );
}

/** The runner for a name that a person may write. */
export function runnerCalled(name: string): string {
  return aliases[name] ?? name;
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
  [/^go\.(mod|work)$/, "go"],
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
  const named = dependenciesIn(await packageText(project), ["devDependencies", "dependencies"]);
  return ["vitest", "jest", "mocha"].filter((name) => named.has(name));
}

/** Runners that `npm test` starts. A runner that gets single files runs besides another that finds its own. */
function startedRunners(packageJson: string): readonly string[] {
  const known = testCommands(packageJson).filter(({ runner }) => runner in runners);
  const isFile = (word: string) => /^[^-*?{[][^*?{[]*\.[cm]?[jt]sx?$/.test(word);
  const wide = known.filter(({ args }) => !args.some(isFile));
  return [...new Set((wide.length > 0 ? wide : known).map(({ runner }) => runner))];
}

export async function startsVitest(project: Project): Promise<boolean> {
  return startedRunners(await packageText(project)).includes("vitest");
}

/** When the project's command starts JavaScript runners, files of other languages have another purpose. */
function decidedBy(started: readonly string[], configured: readonly string[]): readonly string[] {
  const isScript = (name: string) => runners[name] !== undefined && runners[name].program === undefined;
  if (!started.some(isScript)) return configured;
  return configured.filter((name) => !isScript(name) || started.includes(name));
}

async function packageText(project: Project): Promise<string> {
  return (await project.texts(["package.json"])).get("package.json") ?? "{}";
}

function roots(project: Project): readonly string[] {
  return [...project.files.keys()].filter((path) => !path.includes("/"));
}
