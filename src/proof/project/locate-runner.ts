/** Locates a runner: in the main checkout's dependencies, or as a program on the machine. */
import { addCommand, installHint } from "./install-hint.ts";
import { join } from "node:path";
import { jest } from "../../evidence/runners/jest.ts";
import { isAtLeast } from "../../evidence/runners/versions.ts";
import { runners } from "../../evidence/runners/registry.ts";
import type { Runner } from "../../evidence/runner.ts";
import type { Repository } from "../../git/repository.ts";
import { AppError } from "../../lib/errors.ts";
import { jestFor } from "./jest-modules.ts";
import { manifest } from "./manifest.ts";
import { pinOf } from "./pinned-programs.ts";
import { findProgram, type FoundProgram } from "./programs.ts";
import type { Project } from "./project.ts";
import { isObject } from "../../lib/json.ts";
import { readPlainFile } from "../../lib/plain-file.ts";

export interface FoundRunner {
  readonly name: string;
  readonly runner: Runner;
  /** Absolute path of its entry in the main checkout's dependencies; null where node itself is the runner. */
  readonly entry: string | null;
  readonly version: string | null;
  /** The program that starts it; null for node. */
  readonly program: FoundProgram | null;
}

/** @param project the package to run; throws `runner_not_found`, `runner_outdated` or `test_setup_missing` (exit 5) */
export async function locateRunner(
  repository: Repository,
  project: Project,
  name: string,
): Promise<FoundRunner> {
  const runner = runners[name];
  if (runner === undefined)
    throw new AppError("runner_not_found", `the runner ${name} is not supported yet`, {
      hint: `supported: ${Object.keys(runners).join(", ")}; set \`runner\` in mettle.yaml`,
      detail: { runner: name },
    });
  return locate(runner === jest ? await jestFor(project) : runner, repository, project);
}

async function locate(runner: Runner, repository: Repository, project: Project): Promise<FoundRunner> {
  const { name, program: starter } = runner;
  const { prefix } = project;
  if (starter !== undefined) {
    const projects = [repository.root, repository.checkout];
    const { path } = repository;
    const pin = await pinOf(starter, { project, folders: moduleFolders(repository, prefix), path });
    const program = await findProgram({ ...runner, program: starter }, { path, projects }, pin);
    const own = runner.isPackage === true ? await packageOf(runner, repository, prefix) : null;
    if (own !== null) return { ...(await installedRunner(runner, own)), entry: null, program };
    const { version } = program;
    refuseOlder(runner, version, newerProgram(runner, program));
    return { name, runner: runnerAt(runner, version), entry: null, version, program };
  }
  if (runner.entry === null) return { name, runner, entry: null, version: null, program: null };
  const own = await packageOf(runner, repository, prefix);
  if (own !== null) return installedRunner(runner, own);
  const whose = prefix === "" ? "the project's runner" : `the runner of ${prefix.slice(0, -1)}`;
  throw new AppError("runner_not_found", `${runner.name} is ${whose}, but it is not installed`, {
    hint: await installHint(repository.root),
    detail: { runner: runner.name },
  });
}

interface InstalledRunner {
  /** The folder whose `node_modules` contains it. */
  readonly folder: string;
  readonly home: string;
  /** Text of its package.json. */
  readonly text: string;
  /** The checkout with the installed packages. */
  readonly checkout: string;
}

/** Null where the project has not installed it. */
async function packageOf(
  { name }: Runner,
  repository: Repository,
  prefix: string,
): Promise<InstalledRunner | null> {
  for (const folder of moduleFolders(repository, prefix)) {
    const home = join(folder, "node_modules", name);
    const text = await readPlainFile(join(home, "package.json"));
    if (text !== null) return { folder, home, text, checkout: repository.root };
  }
  return null;
}

async function installedRunner(
  runner: Runner,
  { folder, home, text, checkout }: InstalledRunner,
): Promise<FoundRunner> {
  const { name } = runner;
  const { version, bin } = manifest(text);
  const own = typeof version === "string" ? version : null;
  const command = await addCommand(checkout, `${name}@latest`);
  refuseOlder(runner, own, newerPackage(command, `${name}@${runner.oldest}`));
  const named = isObject(bin) ? bin[name] : bin;
  const usual = join(folder, runner.entry ?? "");
  return {
    name,
    runner: runnerAt(runner, own),
    entry: typeof named === "string" ? join(home, named) : usual,
    version: own,
    program: null,
  };
}

function runnerAt(runner: Runner, version: string | null): Runner {
  return version === null ? runner : (runner.at?.(version) ?? runner);
}

/** @throws runner_outdated */
function refuseOlder({ name, oldest }: Runner, version: string | null, hint: string): void {
  const own = version?.replace(/^go/, ""); // Go writes its name before the number
  if (own === undefined || oldest === undefined || isAtLeast(own, oldest)) return;
  throw new AppError(
    "runner_outdated",
    `${name} ${own} cannot be judged; ${oldest} is the oldest version that can`,
    { hint, detail: { runner: name, version: own, oldest } },
  );
}

/** @param wanted the oldest version that works, as its package manager writes it */
function newerPackage(command: string, wanted: string): string {
  return `install a newer one: \`${command}\`, or at least ${wanted}`;
}

function newerProgram({ name, program, module, oldest = "" }: Runner, { path }: FoundProgram): string {
  return module === undefined
    ? `install ${program ?? name} ${oldest} or newer, and put it on PATH before Mettle starts`
    : newerPackage(`${path} -m pip install --upgrade ${module}`, `${module}==${oldest}`);
}

/** The folders in which node looks for a package: from the importing folder up to the root of the checkout. */
export function moduleFolders({ checkout, root }: Repository, prefix: string): readonly string[] {
  const parts = prefix.split("/").slice(0, -1);
  const folders = [...parts.map((_part, depth) => parts.slice(0, parts.length - depth).join("/")), ""];
  return [...new Set([checkout, root])].flatMap((one) => folders.map((folder) => join(one, folder)));
}
