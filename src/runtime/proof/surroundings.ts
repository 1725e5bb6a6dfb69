/**
 * What the tests of a package need beside their files: variables, loaders, arguments and commands, as its own test command
 * and the settings have them.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { secretValues } from "../../config/env.ts";
import { isOwnVariable, type TestNeeds, type Tests } from "../../config/tests-schema.ts";
import { AppError } from "../../lib/errors.ts";
import { keptArguments } from "./kept-arguments.ts";
import type { ProofPorts } from "./ports.ts";
import type { Project } from "./project.ts";
import { commandOf, testCommands, type TestCommand } from "./test-command.ts";

export interface Surroundings {
  readonly env: Readonly<Record<string, string>>;
  /** Values among them that must never be stored or shown. */
  readonly secrets: readonly string[];
  /** Arguments of node before the runner. */
  readonly loaders: readonly string[];
  /** Arguments of the runner before those of the proof. */
  readonly args: readonly string[];
  /** The same with all that the package's own command gives the runner, its patterns of files too. */
  readonly listArgs: readonly string[];
  /** The configuration that the test command names, from the package's folder. */
  readonly config: string | null;
  /** Whether a test command starts this runner at all. */
  readonly hasCommand: boolean;
}

export interface OfPackage {
  readonly ports: ProofPorts;
  readonly base: Project;
  /** Of the package; empty for the root. */
  readonly prefix: string;
  readonly runner: string;
}

/**
 * Read from the base commit, so that no change under test decides about its own proof. A package whose script starts
 * another runner is given the variables and loaders of the nearest package around it. Throws `test_setup_missing`.
 */
export async function surroundingsOf({ ports, base, prefix, runner }: OfPackage): Promise<Surroundings> {
  const found = await testCommand(base, prefix, runner);
  const needs = needsOf(ports.tests, prefix);
  const env: Record<string, string> = {};
  for (const path of found?.command.envFiles ?? [])
    // What the script reads and the commit does not hold is the user's to name in the settings.
    Object.assign(env, parseEnv((await textOf(base, `${found?.folder}${path}`)) ?? ""));
  Object.assign(env, found?.command.env);
  const files: Record<string, string> = {};
  for (const path of needs.envFile ?? []) Object.assign(files, parseEnv(await envFile(ports, base, path)));
  const values = Object.entries(needs.env ?? {});
  const handedOn = values.flatMap(([name, value]) => (value === null ? [name] : []));
  const handed = Object.fromEntries(
    handedOn.flatMap((name) => (ports.env?.[name] === undefined ? [] : [[name, ports.env[name]]])),
  );
  Object.assign(env, files, Object.fromEntries(values.filter(([, value]) => value !== null)), handed);
  const isOwn = found?.folder === prefix;
  return {
    env: Object.fromEntries(Object.entries(env).filter(([name]) => !isOwnVariable(name))),
    secrets: [
      ...secretValues(env),
      ...secretValues(files, Object.keys(files)),
      ...secretValues(handed, handedOn),
    ],
    loaders: found?.command.loaders ?? [],
    args: [...(isOwn ? keptArguments(runner, found.command.args) : []), ...(needs.args ?? [])],
    listArgs: [...(isOwn ? found.command.args : []), ...(needs.args ?? [])],
    hasCommand: found !== null || (needs.args ?? []).length > 0,
    config: isOwn ? (found.command.config?.replace(/^\.\//, "") ?? null) : null,
  };
}

/** What the settings say of all packages and of this one. */
export function needsOf(tests: Tests | undefined, prefix: string): TestNeeds {
  const own = Object.entries(tests?.packages ?? {}).find(
    ([folder]) => `${folder.replace(/^\.(\/|$)/, "").replace(/\/$/, "")}/` === (prefix === "" ? "/" : prefix),
  )?.[1];
  return {
    env: { ...tests?.env, ...own?.env },
    envFile: [...(tests?.envFile ?? []), ...(own?.envFile ?? [])],
    args: own?.args ?? tests?.args ?? [],
    prepare: own?.prepare ?? [],
  };
}

/** The test command of the package, or of the nearest one around it, that starts this runner. */
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

/** A file that the settings name is mostly one that git ignores. */
async function envFile({ repository }: ProofPorts, base: Project, path: string): Promise<string> {
  const committed = await textOf(base, path);
  if (committed !== null) return committed;
  for (const checkout of new Set([repository.checkout, repository.root])) {
    const text = await readFile(join(checkout, path), "utf8").catch(() => null); // not in this one
    if (text !== null) return text;
  }
  throw new AppError("test_setup_missing", `tests.envFile names ${path}, which is nowhere`, {
    hint: `make ${path}, or correct \`tests.envFile\` in mettle.yaml`,
    detail: { file: path },
  });
}
