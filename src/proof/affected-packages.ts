/** The packages that a change can affect: those with a changed path, and their dependents. */
import { dependenciesIn, manifest } from "./project/manifest.ts";
import { owns } from "./setting.ts";
import type { Package } from "./project/packages.ts";
import type { Project } from "./project/project.ts";

/** All packages when a path belongs to none or to the root, because root files may affect every package. */
export async function affectedPackages(
  packages: readonly Package[],
  project: Project,
  paths: readonly string[],
): Promise<readonly Package[]> {
  const owners = new Set(paths.map((path) => packages.find((one) => owns(one, path)) ?? null));
  const isBroad = [...owners].some((one) => one === null || one.prefix === "");
  if (packages.length === 1 || owners.size === 0 || isBroad) return packages;
  const { names, users } = await dependents(project);
  const touched = new Set([...owners].flatMap((one) => names.get(one?.prefix ?? "") ?? []));
  for (const name of touched) for (const user of users.get(name) ?? []) touched.add(user);
  // A package without package.json declares no dependencies.
  const isMute = [...owners].some((one) => !names.has(one?.prefix ?? ""));
  return packages.filter((one) => {
    const name = names.get(one.prefix);
    return owners.has(one) || (name === undefined ? isMute : touched.has(name));
  });
}

interface Dependents {
  /** Prefix -> name in its package.json. */
  readonly names: ReadonlyMap<string, string>;
  /** Name -> names of its dependents. */
  readonly users: ReadonlyMap<string, readonly string[]>;
}

const lists = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"];

async function dependents(project: Project): Promise<Dependents> {
  const paths = [...project.files.keys()].filter((path) => /(^|\/)package\.json$/.test(path));
  const names = new Map<string, string>();
  const users = new Map<string, string[]>();
  for (const [path, text] of await project.texts(paths)) {
    const prefix = path.slice(0, -"package.json".length);
    const { name } = manifest(text);
    const own = typeof name === "string" ? name : prefix;
    names.set(prefix, own);
    for (const used of dependenciesIn(text, lists)) users.set(used, [...(users.get(used) ?? []), own]);
  }
  return { names, users };
}
