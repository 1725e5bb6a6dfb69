/**
 * Where an agent works: a worktree outside the repository, laid anew for each dispatch with what the role may know and
 * nothing else. The same role keeps the same path, so that a conversation that goes on finds its files.
 */
import { lstat, mkdir, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { kindOf } from "../../source/paths.ts";
import { AppError } from "../../lib/errors.ts";
import { commitTree } from "../../git/commit.ts";
import type { Fingerprint } from "../../git/fingerprint.ts";
import { composeTree } from "../../git/tree.ts";
import { removeEmpty } from "../../git/repair.ts";
import { addWorktree, removeWorktree } from "../../git/worktree.ts";
import type { DispatchCommand } from "../../kernel/command.ts";
import { exists } from "../../lib/files.ts";
import type { RunContext } from "../context.ts";
import { refuseDocumentLink } from "../document-place.ts";
import { layBank, takeBankBack } from "../cycles/lay-bank.ts";
import { cycleWork } from "../cycles/work.ts";
import { nodeWork, type NodeWork } from "../nodes/work.ts";
import { tellUntidied } from "../left-untidied.ts";
import { rescueWork } from "../rescue-work.ts";
import { putEnvoy } from "../steps/envoy-command.ts";
import { isHosted } from "../steps/hosted.ts";
import { followedBy, promptFolder } from "../steps/prompt-place.ts";
import type { StepsWork } from "../steps/work.ts";
import { authored, documentFiles, documentFolder, seen } from "./documents.ts";
import { layingOf } from "./untouched.ts";

export interface Workspace {
  readonly name: string;
  readonly path: string;
  /** The commit it was laid from. */
  readonly commit: string;
  /** Documents laid: name -> address. */
  readonly laid: Readonly<Record<string, string>>;
  /** How everything else lay there before the agent came. */
  readonly laying: Fingerprint | null;
  /** Of which node it is, in a graph. */
  readonly node: NodeWork | null;
  /** The printed steps that are followed there; null where an agent follows none. */
  readonly follows: StepsWork | null;
}

export async function prepareWorkspace(context: RunContext, command: DispatchCommand): Promise<Workspace> {
  const name = workspaceName(command);
  const path = join(context.home.worktrees, context.run, name);
  try {
    return await layWorkspace(context, { command, name, path });
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
  }: { readonly command: DispatchCommand; readonly name: string; readonly path: string },
): Promise<Workspace> {
  const follows = await followedBy(context, command);
  const folder = follows === null ? null : await promptFolder(context, follows);
  if (isHosted(context.protocol))
    await putEnvoy(join(context.home.homes, context.run, name), context.host.node);
  if (folder !== null) return folderOfPrompt(context, { name, folder, follows });
  await clearLeftover(context, { path, key: command.key });
  const node = await nodeWork(context, command, writesOf(context, command));
  const commit = node?.from ?? (await startCommit(context, command));
  await mkdir(dirname(path), { recursive: true });
  await addWorktree(context.repository, { path, commit });
  await linkDependencies(context.repository.root, path);
  await mkdir(join(context.home.homes, context.run, name, "tmp"), { recursive: true });
  const laid = await layDocuments(context, command, path);
  await layBank(context, path);
  const laying = await layingOf(context.repository, { path, commit });
  return { name, path, commit, laid, laying, node, follows };
}

/** What stands in it is the plan's; a worktree below it finds the project's packages above itself. */
async function folderOfPrompt(
  context: RunContext,
  { name, folder, follows }: Pick<Workspace, "name" | "follows"> & { readonly folder: string },
): Promise<Workspace> {
  await linkDependencies(context.repository.root, folder);
  await mkdir(join(context.home.homes, context.run, name, "tmp"), { recursive: true });
  return { name, path: folder, commit: context.started.base, laid: {}, laying: null, node: null, follows };
}

export async function removeWorkspace(context: RunContext, workspace: Workspace): Promise<void> {
  if (isOfPrompt(workspace)) return;
  await removeWorktree(context.repository, workspace.path);
}

/** A place that belongs to the plan, and not to the dispatch. */
export function isOfPrompt({ follows }: Workspace): boolean {
  return follows?.subject.type === "prompt";
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

/**
 * The commit an agent starts from. RED commits never contain implementation; the coder starts from the newest RED with
 * the source of its own last work, or of the newest accepted implementation, laid over it (ADR 0002).
 */
async function startCommit(context: RunContext, command: DispatchCommand): Promise<string> {
  const cycle = cycleWork(context, command);
  if (cycle !== null) return cycle.from;
  const { session, started } = context;
  const { head, commits } = session.view;
  const base = head.red ?? started.base;
  const goesOn = command.thread.type === "continue";
  switch (writesOf(context, command)) {
    case "tests":
      return (goesOn ? commits.findLast(({ kind }) => kind === "red")?.commit : undefined) ?? base;
    case "source": {
      const own = goesOn ? commits.findLast(({ kind }) => kind === "green")?.commit : undefined;
      const overlay = own ?? head.lastGreen;
      return overlay === null ? base : laidOver(context, { base, overlay, key: command.key });
    }
    default:
      return head.branch ?? base;
  }
}

async function laidOver(
  context: RunContext,
  from: { base: string; overlay: string; key: string },
): Promise<string> {
  const { repository, settings, session, run } = context;
  const tree = await composeTree(repository, {
    base: from.base,
    overlay: from.overlay,
    take: (path) => kindOf(path, settings.paths) === "source",
  });
  return commitTree(repository, {
    tree,
    parents: [from.base],
    subject: "Lay the last implementation over the newest tests",
    trailers: { "Mettle-Run": run, "Mettle-Key": from.key },
    dateMs: Date.parse(session.view.commands[from.key]?.at ?? ""),
  });
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
