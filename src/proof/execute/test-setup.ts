/** The variables, loaders, arguments and commands that the tests of a package need, from its own test command and the settings. */
import { installHint } from "../project/install-hint.ts";
import { access } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { isOwnVariable, secretValues } from "../../config/env.ts";
import { allNeeds } from "../../config/test-variables.ts";
import type { TestNeeds, Tests } from "../../config/tests-schema.ts";
import type { JunitCommand } from "../../evidence/runner.ts";
import type { Repository } from "../../git/repository.ts";
import { AppError } from "../../lib/errors.ts";
import { keptArguments } from "../project/kept-arguments.ts";
import { moduleFolders } from "../project/locate-runner.ts";
import { manifest } from "../project/manifest.ts";
import type { ProofPorts } from "../ports.ts";
import type { Project } from "../project/project.ts";
import { commandOf, commandText, testCommands, type TestCommand } from "../project/test-command.ts";
import { readPlainFile } from "../../lib/plain-file.ts";

export interface TestSetup {
  readonly env: Readonly<Record<string, string>>;
  /** Values of variables that must never be stored or shown. */
  readonly secrets: readonly string[];
  /** Arguments of node before the runner. */
  readonly loaders: readonly string[];
  /** Arguments of the runner before those of the proof. */
  readonly args: readonly string[];
  /** The command of the runner `junit`. */
  readonly junit?: JunitCommand;
  /** The same with all arguments that the package's own command gives the runner, including file patterns. */
  readonly listArgs: readonly string[];
  /** The configuration that the test command names, relative to the package. */
  readonly config: string | null;
  /** Whether a test command starts this runner at all. */
  readonly hasCommand: boolean;
  /** The part of the package's test script that starts this runner; null where there is none. */
  readonly first: TestCommand | null;
  /** Its other parts with tests, without those that the settings accept as unjudged. */
  readonly others: readonly TestCommand[];
  /** The accepted parts, as a person types them. */
  readonly unjudged: readonly string[];
}

export interface PackageContext {
  readonly ports: Pick<ProofPorts, "repository" | "tests" | "env">;
  readonly base: Project;
  /** Prefix of the package; empty for the root. */
  readonly prefix: string;
  readonly runner: string;
}

/**
 * Reads the base commit, so that no change under test affects its own proof. A package whose script starts another runner
 * gets the variables and loaders of the nearest surrounding package. Throws `test_setup_missing`.
 */
export async function testSetupOf({ ports, base, prefix, runner }: PackageContext): Promise<TestSetup> {
  const found = await testCommand(base, prefix, runner);
  const needs = needsOf(ports.tests, prefix);
  const env: Record<string, string> = {};
  for (const path of found?.command.envFiles ?? [])
    // Files that the script reads and the commit does not contain must be named in the settings.
    Object.assign(env, variablesIn((await textOf(base, `${found?.folder}${path}`)) ?? ""));
  Object.assign(env, found?.command.env);
  const files: Record<string, string> = {};
  for (const path of needs.envFile ?? []) Object.assign(files, variablesIn(await envFile(ports, base, path)));
  const values = Object.entries(needs.env ?? {});
  const handedOn = values.flatMap(([name, value]) => (value === null ? [name] : []));
  const handed = Object.fromEntries(
    handedOn.flatMap((name) => (ports.env?.[name] === undefined ? [] : [[name, ports.env[name]]])),
  );
  Object.assign(env, files, Object.fromEntries(values.filter(([, value]) => value !== null)), handed);
  const isOwn = found?.folder === prefix;
  const first = isOwn ? found.command : null;
  const parts = await otherCommands(base, prefix, first);
  const isAccepted = (command: TestCommand) =>
    (needs.unjudged ?? []).some((name) => [command.runner, commandText(command)].includes(name));
  const loaders = found?.command.loaders ?? [];
  const args = isOwn ? keptArguments(runner, found.command.args) : [];
  await checkLoaders(ports, { base, prefix, words: [...loaders, ...args] });
  return {
    env: Object.fromEntries(Object.entries(env).filter(([name]) => !isOwnVariable(name))),
    secrets: [
      ...secretValues(env),
      ...secretValues(files, Object.keys(files)),
      ...secretValues(handed, handedOn),
    ],
    loaders,
    args: [...args, ...(needs.args ?? [])],
    ...(needs.junit === undefined ? {} : { junit: needs.junit }),
    listArgs: [...(isOwn ? found.command.args : []), ...(needs.args ?? [])],
    hasCommand: found !== null || (needs.args ?? []).length > 0,
    config: isOwn ? (found.command.config?.replace(/^\.\//, "") ?? null) : null,
    first,
    others: parts.filter((command) => !isAccepted(command)),
    unjudged: [...new Set(parts.filter(isAccepted).map(commandText))],
  };
}

/** The other parts of this folder's `npm test`. `react-scripts test` is an alias of jest. */
export async function otherCommands(
  base: Project,
  prefix: string,
  first: TestCommand | null,
): Promise<readonly TestCommand[]> {
  const text = (await textOf(base, `${prefix}package.json`)) ?? "{}";
  const all = [...testCommands(text), ...testCommands(text, "pretest"), ...testCommands(text, "posttest")];
  const others = all.filter(({ runner }) => runner !== "react-scripts");
  const at = first === null ? -1 : others.findIndex((command) => commandText(command) === commandText(first));
  if (at !== -1) others.splice(at, 1);
  return others;
}

/** Throws where a loader is a package that is not installed: no test could load. */
async function checkLoaders(
  { repository }: PackageContext["ports"],
  {
    base,
    prefix,
    words,
  }: { readonly base: Project; readonly prefix: string; readonly words: readonly string[] },
): Promise<void> {
  const text = words.join(" ");
  for (const [, name = "", rest = ""] of text.matchAll(
    /(?:--(?:import|require|(?:experimental-)?loader)|-r)[ =]((?:@[\w.-]+\/)?[\w-][\w.-]*)(\S*)/g,
  )) {
    // Mocha takes `test/support/env` from the package's folder.
    if (fileEndings.some((ending) => base.files.has(`${prefix}${name}${rest}${ending}`))) continue;
    // A package may load its own files.
    if (isBuiltin(name) || name === manifest((await textOf(base, `${prefix}package.json`)) ?? "{}")["name"])
      continue;
    const places = moduleFolders(repository, prefix).map((folder) => join(folder, "node_modules", name));
    const found = await Promise.all(
      places.map((place) =>
        access(place).then(
          () => true,
          () => false,
        ),
      ),
    );
    if (!found.includes(true))
      throw new AppError("test_setup_missing", `the test script loads ${name}, which is not installed`, {
        hint: await installHint(repository.root),
        detail: { loader: name },
      });
  }
}

const fileEndings = ["", ".js", ".cjs", ".mjs", ".ts", "/index.js"];

/** The settings for all packages and for this one. */
export function needsOf(tests: Tests | undefined, prefix: string): TestNeeds {
  const own = Object.entries(tests?.packages ?? {}).find(
    ([folder]) => `${folder.replace(/^\.(\/|$)/, "").replace(/\/$/, "")}/` === (prefix === "" ? "/" : prefix),
  )?.[1];
  return {
    env: { ...tests?.env, ...own?.env },
    envFile: [...(tests?.envFile ?? []), ...(own?.envFile ?? [])],
    args: own?.args ?? tests?.args ?? [],
    junit: own?.junit ?? tests?.junit,
    prepare: own?.prepare ?? [],
    unjudged: [...(tests?.unjudged ?? []), ...(own?.unjudged ?? [])],
  };
}

/** The test command of the package, or of the nearest surrounding one, that starts this runner. */
async function testCommand(
  base: Project,
  prefix: string,
  runner: string,
): Promise<{ readonly command: TestCommand; readonly folder: string } | null> {
  const parts = prefix.split("/").slice(0, -1);
  const folders = [...parts.keys(), parts.length].map((depth) =>
    parts
      .slice(0, depth)
      .map((part) => `${part}/`)
      .join(""),
  );
  const texts = await base.texts(folders.map((folder) => `${folder}package.json`));
  for (const folder of folders.toReversed()) {
    const command = commandOf(testCommands(texts.get(`${folder}package.json`) ?? "{}"), runner);
    if (command !== null) return { command, folder };
  }
  return null;
}

async function textOf(base: Project, path: string): Promise<string | null> {
  const clean = join(path);
  return (await base.texts([clean])).get(clean) ?? null;
}

/** The settings usually name an env file that git ignores. */
async function envFile(
  { repository }: PackageContext["ports"],
  base: Project,
  path: string,
): Promise<string> {
  const committed = await textOf(base, path);
  if (committed !== null) return committed;
  const text = await envFileHere(repository, path);
  if (text !== null) return text;
  throw new AppError("test_setup_missing", `tests.envFile names ${path}, which does not exist`, {
    hint: `create ${path}, or correct \`tests.envFile\` in mettle.yaml`,
    detail: { file: path },
  });
}

async function envFileHere({ checkout, root }: Repository, path: string): Promise<string | null> {
  for (const folder of new Set([checkout, root])) {
    const text = await readPlainFile(join(folder, path)); // not in this folder
    if (text !== null) return text;
  }
  return null;
}

/** Values of the env files that the settings name for any package, which must never be stored or shown. */
export async function envFileSecrets(
  tests: Tests | undefined,
  repository: Repository,
): Promise<readonly string[]> {
  const paths = allNeeds(tests).flatMap(({ envFile }) => envFile ?? []);
  const texts = await Promise.all(paths.map((path) => envFileHere(repository, path)));
  return texts.flatMap((text) => {
    const values = variablesIn(text ?? "");
    return secretValues(values, Object.keys(values));
  });
}

function variablesIn(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(parseEnv(text)).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
