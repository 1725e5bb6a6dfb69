/**
 * Where an agent works: a worktree outside the repository, laid anew for each dispatch with what the role may know and
 * nothing else. The same role keeps the same path, so that a conversation that goes on finds its files.
 */
import type { Work, WorkFolder, Workspace } from "../../family/work.ts";
import { lstat, mkdir, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { AppError } from "../../lib/errors.ts";
import { removeEmpty } from "../../git/worktree/repair.ts";
import { addWorktree, removeWorktree } from "../../git/worktree/worktree.ts";
import type { DispatchCommand } from "../../kernel/command.ts";
import { exists } from "../../lib/files.ts";
import type { RunContext } from "../../run/context.ts";
import { refuseDocumentLink } from "../../run/documents/place.ts";
import { layBank, takeBankBack } from "./lay-bank.ts";
import { tellUntidied } from "../../run/left-untidied.ts";
import { rescueWork } from "../../run/rescue-work.ts";
import { authored, documentFiles, documentFolder, seen } from "../../run/documents/names.ts";
import { takeFingerprint } from "./untouched.ts";

export async function prepareWorkspace(
  context: RunContext,
  command: DispatchCommand,
  work: Work,
): Promise<Workspace> {
  const name = workspaceName(command);
  const path = join(context.home.worktrees, context.run, name);
  try {
    return work.folder === null
      ? await layWorkspace(context, { command, name, path, work })
      : await givenFolder(context, { name, work, folder: work.folder });
  } catch (cause) {
    // What the file system says is the environment's matter; anything else is a fault of ours.
    if (cause instanceof AppError || !(cause instanceof Error && "syscall" in cause)) throw cause;
    throw new AppError("worktree_failed", `no workspace could be made at ${path}: ${cause.message}`, {
      hint: `make room for it there, then \`mettle resume ${context.run}\``,
      cause,
    });
  }
}

async function layWorkspace(
  context: RunContext,
  {
    command,
    name,
    path,
    work,
  }: Pick<Workspace, "name" | "path" | "work"> & { readonly command: DispatchCommand },
): Promise<Workspace> {
  const commit = work.from;
  await clearLeftover(context, { path, key: command.key });
  await mkdir(dirname(path), { recursive: true });
  await addWorktree(context.repository, { path, commit });
  await linkDependencies(context.repository.root, path);
  await mkdir(join(context.home.homes, context.run, name, "tmp"), { recursive: true });
  const laid = await layDocuments(context, command, path);
  await layBank(context, path);
  const laying = await takeFingerprint(context.repository, { path, commit });
  return { name, path, commit, laid, initialFingerprint: laying, work };
}

/** What is in it is somebody else's; a worktree below it finds the project's packages above itself. */
async function givenFolder(
  context: RunContext,
  { name, work, folder: { path } }: Pick<Workspace, "name" | "work"> & { readonly folder: WorkFolder },
): Promise<Workspace> {
  await linkDependencies(context.repository.root, path);
  await mkdir(join(context.home.homes, context.run, name, "tmp"), { recursive: true });
  return { name, path, commit: work.from, laid: {}, initialFingerprint: null, work };
}

export async function removeWorkspace(context: RunContext, workspace: Workspace): Promise<void> {
  if (workspace.work.folder !== null) return;
  await removeWorktree(context.repository, workspace.path);
}

/** What the role's agent may change, with the state's own word first. */
export function writesOf(context: Pick<RunContext, "protocol">, command: DispatchCommand): string {
  return command.writes ?? context.protocol.roles[command.role]?.writes ?? "none";
}

/** Whether what it changes becomes a commit. */
export function mayCommit(context: Pick<RunContext, "protocol">, command: DispatchCommand): boolean {
  return ["tests", "source", "scaffold", "mechanical"].includes(writesOf(context, command));
}

/** Of a role, in a graph of a node's. What is no dispatch has none of its own. */
export function workspaceName({ frame, role }: { readonly frame: string; readonly role: string }): string {
  return `${frame}-${role}`.replace(/[^A-Za-z0-9._-]+/gu, "-");
}

/** A workspace that is still there was left by a process that died or was stopped: its work is kept before it goes. */
async function clearLeftover(context: RunContext, left: { path: string; key: string }): Promise<void> {
  if (!(await exists(left.path))) return;
  await rescueLeftover(context, left);
  await removeWorktree(context.repository, left.path);
  await rm(left.path, { recursive: true, force: true });
}

async function rescueLeftover(
  context: RunContext,
  { path, key }: { path: string; key: string },
): Promise<void> {
  const base = context.session.view.head.branch ?? context.started.base;
  // A link that an agent put in its place leads to somebody else's files.
  if (!(await lstat(path)).isDirectory() || !(await exists(join(path, ".git")))) return;
  await takeBankBack(context, path);
  await rescueWork(context, { key, reason: "the dispatch was interrupted", work: { workspace: path, base } });
}

/** Rescues and removes the workspace of a dispatch that goes on no more. */
export async function clearWorkspace(context: RunContext, command: DispatchCommand): Promise<void> {
  const path = join(context.home.worktrees, context.run, workspaceName(command));
  await clearLeftover(context, { path, key: command.key });
}

/** How the worktrees of failed nodes begin, which `mettle clean` alone removes; no role's workspace has this name. */
export const keptWorkspaces = "failed@";

/** Rescues and removes every workspace of the run; for a run that ends. */
export async function clearWorkspaces(context: RunContext): Promise<void> {
  const folder = join(context.home.worktrees, context.run);
  const names = (await listFolder(folder)).filter((name) => !name.startsWith(keptWorkspaces));
  for (const name of names) {
    const path = join(folder, name);
    await clearLeftover(context, { path, key: name }).catch((failed: unknown) =>
      tellUntidied(context, { what: "a workspace that could not be cleared away", at: path, failed }),
    );
  }
  await removeEmpty(folder);
}

/** The documents a role sees, and those it may write itself as they are now. */
async function layDocuments(
  context: RunContext,
  command: DispatchCommand,
  path: string,
): Promise<Readonly<Record<string, string>>> {
  const names = new Set(command.sees.flatMap((name) => seen[name] ?? []));
  const writes = writesOf(context, command) === "documents";
  if (writes) for (const name of authored) names.add(name);
  const laid: Record<string, string> = {};
  await refuseDocumentLink(path);
  await mkdir(join(path, documentFolder), { recursive: true });
  for (const name of names) {
    const ref = context.session.view.documents[name]?.ref;
    const file = documentFiles[name];
    if (ref === undefined || file === undefined) continue;
    await writeFile(join(path, documentFolder, file), await context.payloads.get(ref));
    laid[name] = ref;
  }
  return laid;
}

/** Agents may run the project's own tools; the proof uses its own checkout. */
async function linkDependencies(root: string, path: string): Promise<void> {
  const from = join(root, "node_modules");
  const to = join(path, "node_modules");
  if ((await exists(from)) && !(await exists(to))) await symlink(from, to, "dir");
}

async function listFolder(folder: string): Promise<readonly string[]> {
  // No folder: the run never had a workspace.
  return readdir(folder).catch(() => []);
}
