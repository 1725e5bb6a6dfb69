/**
 * Creates the workspace of a dispatch: a new worktree outside the repository with only what the role may know. A role keeps
 * its path, so that a resumed conversation finds its files.
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
import { readableBy, toldDocument } from "../holdout/told.ts";
import { storeText } from "../../run/stored-text.ts";
import { copyMemoryBank, restoreMemoryBank } from "./memory-bank-copy.ts";
import { warnCleanupFailed } from "../../run/cleanup-failure.ts";
import { rescueWork } from "../../run/rescue-work.ts";
import {
  agentDocuments,
  documentFiles,
  documentFolder,
  visibleDocuments,
} from "../../run/documents/names.ts";
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
      ? await makeWorkspace(context, { command, name, path, work })
      : await useFolder(context, { name, work, folder: work.folder });
  } catch (cause) {
    // An error of the file system is one of the environment; any other is a bug.
    if (cause instanceof AppError || !(cause instanceof Error && "syscall" in cause)) throw cause;
    throw new AppError("worktree_failed", `no workspace could be made at ${path}: ${cause.message}`, {
      hint: `make room for it there, then \`mettle resume ${context.run}\``,
      cause,
    });
  }
}

async function makeWorkspace(
  context: RunContext,
  {
    command,
    name,
    path,
    work,
  }: Pick<Workspace, "name" | "path" | "work"> & { readonly command: DispatchCommand },
): Promise<Workspace> {
  const commit = context.session.view.withheld[command.key]?.reduced ?? work.from;
  await clearLeftover(context, { path, key: command.key });
  await mkdir(dirname(path), { recursive: true });
  await addWorktree(context.repository, { path, commit });
  await linkDependencies(context.repository.root, path);
  await mkdir(join(context.home.homes, context.run, name, "tmp"), { recursive: true });
  const documents = await copyDocuments(context, command, path);
  await copyMemoryBank(context, path, readableBy(context, command));
  const initialFingerprint = await takeFingerprint(context.repository, { path, commit });
  return { name, path, commit, documents, initialFingerprint, work };
}

/** Uses a folder that another part of Mettle owns. Node finds the project's packages in its parent folders. */
async function useFolder(
  context: RunContext,
  { name, work, folder: { path } }: Pick<Workspace, "name" | "work"> & { readonly folder: WorkFolder },
): Promise<Workspace> {
  await linkDependencies(context.repository.root, path);
  await mkdir(join(context.home.homes, context.run, name, "tmp"), { recursive: true });
  return { name, path, commit: work.from, documents: {}, initialFingerprint: null, work };
}

export async function removeWorkspace(context: RunContext, workspace: Workspace): Promise<void> {
  if (workspace.work.folder !== null) return;
  await removeWorktree(context.repository, workspace.path);
}

/** What the role's agent may write; the state's setting overrides the role's. */
export function writesOf(context: Pick<RunContext, "protocol">, command: DispatchCommand): string {
  return command.writes ?? context.protocol.roles[command.role]?.writes ?? "none";
}

/** Whether the agent's changes become a commit. */
export function mayCommit(context: Pick<RunContext, "protocol">, command: DispatchCommand): boolean {
  return ["tests", "source", "scaffold", "mechanical"].includes(writesOf(context, command));
}

/** The name of a role's workspace within its frame. */
export function workspaceName({ frame, role }: { readonly frame: string; readonly role: string }): string {
  return `${frame}-${role}`.replace(/[^A-Za-z0-9._-]+/gu, "-");
}

/** Rescues and removes a workspace that a dead or stopped process left. */
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
  // If the agent replaced the folder by a link, its target is not the agent's work.
  if (!(await lstat(path)).isDirectory() || !(await exists(join(path, ".git")))) return;
  await restoreMemoryBank(context, path);
  await rescueWork(context, { key, reason: "the dispatch was interrupted", work: { workspace: path, base } });
}

/** Rescues and removes the workspace of a dispatch that does not continue. */
export async function clearWorkspace(context: RunContext, command: DispatchCommand): Promise<void> {
  const path = join(context.home.worktrees, context.run, workspaceName(command));
  await clearLeftover(context, { path, key: command.key });
}

/** Prefix of the worktrees of failed nodes, which only `mettle clean` removes; no role's workspace has it. */
export const keptWorkspaces = "failed@";

/** Rescues and removes every workspace of a run that ends. */
export async function clearWorkspaces(context: RunContext): Promise<void> {
  const folder = join(context.home.worktrees, context.run);
  const names = (await listFolder(folder)).filter((name) => !name.startsWith(keptWorkspaces));
  for (const name of names) {
    const path = join(folder, name);
    await clearLeftover(context, { path, key: name }).catch((failed: unknown) =>
      warnCleanupFailed(context, { what: "a workspace that could not be cleared away", at: path, failed }),
    );
  }
  await removeEmpty(folder);
}

/** Writes the documents that the role may see or write. @returns name -> address */
async function copyDocuments(
  context: RunContext,
  command: DispatchCommand,
  path: string,
): Promise<Readonly<Record<string, string>>> {
  const names = new Set(command.sees.flatMap((name) => visibleDocuments[name] ?? []));
  const writes = writesOf(context, command) === "documents";
  if (writes) for (const name of agentDocuments) names.add(name);
  const copied: Record<string, string> = {};
  await refuseDocumentLink(path);
  await mkdir(join(path, documentFolder), { recursive: true });
  for (const name of names) {
    const ref = context.session.view.documents[name]?.ref;
    const file = documentFiles[name];
    if (ref === undefined || file === undefined) continue;
    const text = await toldDocument(context, command, { name, ref });
    await writeFile(join(path, documentFolder, file), text);
    copied[name] = await storeText(context, text);
  }
  return copied;
}

/** Agents may run the project's tools; a proof uses a separate checkout. */
async function linkDependencies(root: string, path: string): Promise<void> {
  const from = join(root, "node_modules");
  const to = join(path, "node_modules");
  if ((await exists(from)) && !(await exists(to))) await symlink(from, to, "dir");
}

async function listFolder(folder: string): Promise<readonly string[]> {
  // No folder: the run never had a workspace.
  return readdir(folder).catch(() => []);
}
