/** From which commit an agent works, and what its commit is then. */
import { commitTree } from "../../../git/objects/commit.ts";
import { composeTree } from "../../../git/objects/tree.ts";
import type { DispatchCommand } from "../../../kernel/command.ts";
import type { EventOf } from "../../../log/run-event.ts";
import type { RunView } from "../../../log/run-view.ts";
import { kindOf } from "../../../source/paths.ts";
import type { RunContext } from "../../../run/context.ts";

type Kind = EventOf<"commit.made">["kind"];

export interface Work {
  /** The commit that its workspace is laid from. */
  readonly from: string;
  /** The parent of what it leaves. */
  readonly parent: string;
  /** What its commit is; null: what its role writes says so. */
  readonly kind: Kind | null;
  /** The part of the run that it belongs to. */
  readonly of: WorkOf;
  /** Whether its commit is judged as it is; false: a gate lays it on something newer first. */
  readonly isInPlace: (view: RunView) => boolean;
  /** A folder that belongs to somebody else and stays; null: a worktree is laid for it alone. */
  readonly folder: WorkFolder | null;
}

export interface WorkOf {
  readonly node?: string;
  /** From 1. */
  readonly cycle?: number;
  /** A prompt or a segment. */
  readonly item?: string;
}

export interface WorkFolder {
  readonly path: string;
  /** All that is in it now, and a commit of that. */
  readonly snapshot: () => Promise<{ readonly tree: string; readonly commit: string }>;
}

export function workFrom(from: string, work: Partial<Work> = {}): Work {
  return { from, parent: from, kind: null, of: {}, isInPlace: () => true, folder: null, ...work };
}

/** @param writes what the role may write here */
export async function plainWork(
  context: RunContext,
  command: DispatchCommand,
  writes: string,
): Promise<Work> {
  const { head } = context.session.view;
  return workFrom(await startCommit(context, command, writes), { parent: head.red ?? context.started.base });
}

/**
 * The commit an agent starts from. RED commits never contain implementation; the coder starts from the newest RED with
 * the source of its own last work, or of the newest accepted implementation, laid over it (ADR 0002).
 */
async function startCommit(context: RunContext, command: DispatchCommand, writes: string): Promise<string> {
  const { session, started } = context;
  const { head, commits } = session.view;
  const base = head.red ?? started.base;
  const goesOn = command.thread.type === "continue";
  switch (writes) {
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
