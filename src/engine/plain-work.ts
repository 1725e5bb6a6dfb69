/** The commit an agent starts from, and the parent of the commit it makes. */
import { workFrom, type Work } from "../family/work.ts";
import { commitTree } from "../git/objects/commit.ts";
import { composeTree } from "../git/objects/tree.ts";
import type { DispatchCommand } from "../kernel/command.ts";
import { kindOf } from "../source/paths.ts";
import type { RunContext } from "../run/context.ts";

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
 * The commit an agent starts from. RED commits never contain implementation; the coder starts from the newest RED, overlaid with
 * the source of its own last work or of the newest accepted implementation (ADR 0002).
 */
async function startCommit(context: RunContext, command: DispatchCommand, writes: string): Promise<string> {
  const { session, started } = context;
  const { head, commits } = session.view;
  const base = head.red ?? started.base;
  const continues = command.thread.type === "continue";
  switch (writes) {
    case "tests":
      return (continues ? commits.findLast(({ kind }) => kind === "red")?.commit : undefined) ?? base;
    case "source": {
      const own = continues ? commits.findLast(({ kind }) => kind === "green")?.commit : undefined;
      const overlay = own ?? head.lastGreen;
      return overlay === null ? base : overlayCommit(context, { base, overlay, key: command.key });
    }
    default:
      return head.branch ?? base;
  }
}

async function overlayCommit(
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
    subject: "Apply the last implementation to the newest tests",
    trailers: { "Mettle-Run": run, "Mettle-Key": from.key },
    dateMs: Date.parse(session.view.commands[from.key]?.at ?? ""),
  });
}
