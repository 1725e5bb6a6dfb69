/**
 * The packages of a repository and their test runners (CORE-21). A setting `runner` alone means one runner for the whole
 * repository; otherwise each package is inspected, outer ones first, and a package without its own runner is part of the
 * surrounding one.
 */
import { runners } from "../../evidence/runners/registry.ts";
import type { PathRules } from "../../source/paths.ts";
import type { Repository } from "../../git/repository.ts";
import { AppError } from "../../lib/errors.ts";
import { ambiguous, evidenceOf, startsVitest, noRunner, onlyRunner, runnerCalled } from "./detect.ts";
import { locateRunner, type FoundRunner } from "./locate-runner.ts";
import { outerFirst, packageFolders } from "./package-folders.ts";
import { projectAt, projectIn, type Project } from "./project.ts";
import { testFilesOf } from "./test-files.ts";
import { isProject, vitestProjects } from "./vitest-projects.ts";

export interface Package {
  /** Empty for the repository's root, else its folder with a trailing slash. */
  readonly prefix: string;
  /** Prefixes of the packages inside it, which are excluded. */
  readonly inner: readonly string[];
  readonly found: FoundRunner;
}

export interface RunnerSettings {
  readonly runner?: string | null | undefined;
  /** Folder -> runner, or `none`. */
  readonly packages?: Readonly<Record<string, string>> | undefined;
  readonly paths: PathRules;
}

/** Settings that name the detected runners, so that a run keeps them. */
export function pinned(
  packages: readonly Package[],
  { packages: named }: RunnerSettings,
): { readonly runner?: string; readonly packages?: Readonly<Record<string, string>> } {
  const root = packages.find(({ prefix }) => prefix === "");
  const inner = packages.filter(({ prefix }) => prefix !== "");
  const all = Object.fromEntries(inner.map(({ prefix, found }) => [prefix.slice(0, -1), found.name]));
  return {
    ...(root === undefined ? {} : { runner: root.found.name }),
    ...(named === undefined && inner.length === 0 ? {} : { packages: { ...named, ...all } }),
  };
}

export interface Detection {
  readonly repository: Repository;
  readonly commit: string;
  readonly settings: RunnerSettings;
}

/** Throws `runner_not_found` (exit 5), also for a named package that does not exist, or `runner_ambiguous` (exit 2). */
export async function detectPackages(detection: Detection): Promise<readonly Package[]> {
  const { repository, commit, settings } = detection;
  const project = await projectAt(repository, commit);
  const paths = [...project.files.keys()];
  const absent = [...namedBy(settings).keys()].find(
    (prefix) => !paths.some((path) => path.startsWith(prefix)),
  );
  if (absent !== undefined)
    throw new AppError(
      "runner_not_found",
      `mettle.yaml names the package ${absent.slice(0, -1)}, which holds no file`,
      {
        hint: "correct its folder under `packages`: it is relative to the root, and must be committed",
      },
    );
  return packagesOf(repository, project, settings);
}

export async function packagesOf(
  repository: Repository,
  project: Project,
  settings: RunnerSettings,
): Promise<readonly Package[]> {
  const names = await packageRunners(project, settings);
  const all = [...names.keys()];
  const packages: Package[] = [];
  let absent: AppError | null = null;
  for (const [prefix, name] of names) {
    if (name === null) continue;
    const inner = all.filter((other) => other !== prefix && other.startsWith(prefix));
    const own = projectIn(project, prefix, inner);
    try {
      packages.push({ prefix, inner, found: await locateRunner(repository, own, name) });
    } catch (error) {
      // A runner without tests may be missing when there are others.
      if (!(error instanceof AppError) || all.length === 1 || (await holdsTests(own, [name], settings.paths)))
        throw error;
      absent ??= error;
    }
  }
  if (packages.length === 0) throw absent ?? (await noRunner(project));
  return packages;
}

/** Prefix -> runner name; null where the settings exclude its tests. Starts nothing. */
export async function packageRunners(
  project: Project,
  settings: RunnerSettings,
): Promise<ReadonlyMap<string, string | null>> {
  const pins = namedBy(settings);
  const root = pins.get("");
  if (settings.packages === undefined && root !== undefined) return new Map([["", root]]);
  const folders = outerFirst([...new Set(["", ...(await packageFolders(project)), ...pins.keys()])]);
  if (folders.length === 1)
    return new Map([["", root === undefined ? await onlyRunner(project, settings.paths) : root]]);
  const names = new Map<string, string | null>();
  let undecided: readonly string[] = [];
  // Packages that the root's own command runs, including projects that merge its configuration, run from the root.
  const projects = (await startsVitest(project)) ? await vitestProjects(project) : [];
  for (const prefix of folders) {
    const pin = pins.get(prefix);
    if (pin !== undefined) {
      names.set(prefix, pin);
      continue;
    }
    const inner = folders.filter((other) => other !== prefix && other.startsWith(prefix));
    const own = projectIn(project, prefix, inner);
    const name = await ownRunner({ own, paths: settings.paths, around: around(names, prefix), undecided });
    const isOfRoot = name === "vitest" && names.get("") === "vitest" && isProject(prefix, projects);
    if (typeof name === "string" && !isOfRoot) names.set(prefix, name);
    else if (prefix === "" && typeof name !== "string") undecided = name;
  }
  if (names.size === 0) throw undecided.length > 1 ? ambiguous(undecided, "") : await noRunner(project);
  return names;
}

interface PackageFacts {
  readonly own: Project;
  readonly paths: PathRules;
  /** The runner of the surrounding package; null where there is none. */
  readonly around: string | null;
  /** Candidates of a root without tests of its own. */
  readonly undecided: readonly string[];
}

/** Its runner's name; several candidates if it has no tests, or none. */
async function ownRunner({
  own,
  paths,
  around: outer,
  undecided,
}: PackageFacts): Promise<string | readonly string[]> {
  const { step, names } = await evidenceOf(own, paths);
  const [only] = names;
  if (only === undefined) {
    if (outer === null && undecided.length > 1 && (await holdsTests(own, undecided, paths)))
      throw ambiguous(undecided, own.prefix);
    return [];
  }
  // The surrounding package already runs them.
  if (
    (step === "imports" || step === "command") &&
    (names.includes(outer ?? "") || (outer === "pytest" && only === "unittest"))
  )
    return [];
  if (names.length === 1) return only;
  if (await holdsTests(own, names, paths)) throw ambiguous(names, own.prefix);
  return names;
}

async function holdsTests(own: Project, names: readonly string[], paths: PathRules): Promise<boolean> {
  for (const name of names) {
    const runner = runners[name];
    if (runner !== undefined && (await testFilesOf(own, paths, runner)).length > 0) return true;
  }
  return false;
}

function around(names: ReadonlyMap<string, string | null>, prefix: string): string | null {
  const outer = [...names.keys()].filter((other) => prefix.startsWith(other));
  return names.get(outer.at(-1) ?? "") ?? null;
}

/** Prefix -> runner for the packages that the settings name; null for `none`. */
function namedBy({ runner, packages = {} }: RunnerSettings): ReadonlyMap<string, string | null> {
  const all = [...(runner == null ? [] : [[".", runner] as const]), ...Object.entries(packages)];
  return new Map(
    all
      .filter(([, name]) => name !== "auto")
      .map(([folder, name]) => [prefixOf(folder), name === "none" ? null : runnerCalled(name)]),
  );
}

function prefixOf(folder: string): string {
  const clean = folder.replace(/^\.(\/|$)/, "").replace(/\/$/, "");
  return clean === "" ? "" : `${clean}/`;
}
