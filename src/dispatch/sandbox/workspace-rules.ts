/** Sandbox rules of one dispatch: its workspace, home and socket, and a separate git repository. */
import { copyFile, lstat, mkdir, readdir, realpath } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { loneRepository } from "../../git/objects/lone-commit.ts";
import type { Repository } from "../../git/repository.ts";
import { listFiles } from "../../git/objects/tree.ts";
import type { DispatchCommand } from "../../kernel/command.ts";
import { isBelow, type Rule } from "../../process/sandbox/confinement.ts";
import { rulesToShow } from "../../process/sandbox/places.ts";
import type { RunContext } from "../../run/context.ts";
import { documentFolder } from "../../run/documents/names.ts";
import type { Workspace } from "../../family/work.ts";
import { toldOf } from "../holdout/told.ts";
import { writesOf } from "../workspace/workspace.ts";
import { readOnlyRules } from "./read-only.ts";
import { removeStrayLinks } from "./stray-links.ts";

export interface WorkspaceAccess {
  readonly command: DispatchCommand;
  readonly workspace: Workspace;
  /** The agent's home. */
  readonly home: string;
  readonly socket: string;
  readonly hidden: readonly string[];
}

export async function workspaceRules(
  context: RunContext,
  working: WorkspaceAccess,
): Promise<readonly Rule[]> {
  const { repository } = context;
  const { command, workspace } = working;
  const path = await realpath(workspace.path);
  const places = await ownPlaces(repository, working);
  const [git, packages] = await Promise.all([
    ownHistory(context, workspace),
    linkedPackages(repository.root, path),
  ]);
  const documents = [dirname(documentFolder), documentFolder].map((folder) => join(path, folder));
  return [
    ...places,
    ...packages,
    { type: "writable", at: git.dir },
    ...(await frozenRules(context, { command, workspace, path })),
    // Mettle reads the documents from here, so the agent must not replace the folder.
    ...documents.map((at) => ({ type: "writable" as const, at })),
    { type: "readable", at: join(path, ".git"), from: git.pointer },
  ];
}

/** A repository with the commit of the workspace alone. */
async function ownHistory({ repository, home, run }: RunContext, { name, path, commit }: Workspace) {
  return loneRepository(repository, {
    dir: join(await realpath(join(home.homes, run)), `${name}.git`),
    commit,
    worktree: await realpath(path),
    excludes: [`/${documentFolder}/`, "/node_modules"],
  });
}

/** For an agent that is not confined: the history of its workspace holds none of the tests that it does not see (PRV-16). */
export async function hideHistory(
  context: RunContext,
  { command, workspace }: Pick<WorkspaceAccess, "command" | "workspace">,
): Promise<void> {
  if (toldOf(context, command) === null) return;
  const { pointer } = await ownHistory(context, workspace);
  await copyFile(pointer, join(workspace.path, ".git"));
}

/** Shows the workspace, the agent's home, the folder of its socket, and the project's packages. */
export async function ownPlaces(
  { root }: Repository,
  { workspace, home, socket, hidden }: WorkspaceAccess,
): Promise<readonly Rule[]> {
  await mkdir(home, { recursive: true });
  await removeStrayLinks(home);
  const shown = await Promise.all([
    rulesToShow(workspace.path, "writable", hidden),
    rulesToShow(home, "writable", hidden),
    rulesToShow(dirname(socket), "readable", hidden),
    rulesToShow(join(root, "node_modules"), "readable", hidden),
  ]);
  return shown.flat();
}

/** Makes the frozen tests read-only for a role that writes source, and everything for a role that writes nothing. */
async function frozenRules(
  { repository, session, settings, protocol }: RunContext,
  { command, workspace, path }: Pick<WorkspaceAccess, "command" | "workspace"> & { readonly path: string },
): Promise<readonly Rule[]> {
  const writes = writesOf({ protocol }, command);
  if (writes === "none" || writes === "review") return [{ type: "readable", at: path }];
  const { frozen } = session.view;
  if (writes !== "source" || frozen === null) return [];
  const files = (await listFiles(repository, workspace.commit)).map((file) => file.path);
  return readOnlyRules({ workspace: path, frozen: Object.keys(frozen.files), files, paths: settings.paths });
}

/** Replaces the project's own packages, which npm links into `node_modules`, by those of the workspace. */
async function linkedPackages(root: string, workspace: string): Promise<readonly Rule[]> {
  const modules = join(root, "node_modules");
  const names = await linksIn(modules);
  const rules = await Promise.all(
    names.map(async (name): Promise<readonly Rule[]> => {
      const at = await realpath(join(modules, name)).catch(() => "/"); // a dangling link
      if (!isBelow(at, root) || relative(root, at).split(sep).includes("node_modules")) return [];
      const from = join(workspace, relative(root, at));
      const found = await lstat(from).catch(() => null); // not in this commit
      return found?.isDirectory() === true ? [{ type: "readable", at, from }] : [];
    }),
  );
  return rules.flat();
}

async function linksIn(modules: string): Promise<readonly string[]> {
  const entries = await readdir(modules, { withFileTypes: true }).catch(() => []); // no dependencies
  const scopes = entries.filter((entry) => entry.isDirectory() && entry.name.startsWith("@"));
  const scoped = await Promise.all(
    scopes.map(async ({ name }) =>
      (await readdir(join(modules, name), { withFileTypes: true })).map((entry) => ({
        name: join(name, entry.name),
        isLink: entry.isSymbolicLink(),
      })),
    ),
  );
  const all = [
    ...entries.map((entry) => ({ name: entry.name, isLink: entry.isSymbolicLink() })),
    ...scoped.flat(),
  ];
  return all.flatMap(({ name, isLink }) => (isLink ? [name] : []));
}
