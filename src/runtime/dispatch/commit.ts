/** The runtime commits for the agents: one deterministic commit for each dispatch that may write (CORE-69). */
import { changedPaths } from "../../git/tree.ts";
import { commitTree, recordTrailer } from "../../git/commit.ts";
import { refSafe } from "../../git/rescue.ts";
import { pointRef } from "../../git/refs.ts";
import type { EventOf } from "../../log/run-event.ts";
import type { RunContext } from "../context.ts";
import { cycleWork, subjectOf, subjects } from "../cycles/work.ts";
import { isInPlace, type NodeWork } from "../nodes/work.ts";
import type { Finished } from "./settle.ts";

export async function commitWork(
  { context, command, workspace, left }: Finished,
  role: "red" | "green" | "scaffold" | "rebased",
  tried?: string,
): Promise<readonly EventOf<"commit.made">[]> {
  const { repository, session, run, started } = context;
  const { head } = session.view;
  const cycle = cycleWork(context, command);
  const { node } = workspace;
  const kind = cycle?.kind ?? role;
  const parent = node?.parent ?? cycle?.from ?? head.red ?? started.base;
  const commit = await commitTree(repository, {
    tree: left.tree,
    parents: [parent],
    subject: subjectOf({ what: subjects[kind], cycle: cycle?.cycle ?? null, task: started.task }),
    trailers: {
      "Mettle-Run": run,
      ...(cycle === null ? {} : { "Mettle-Cycle": String(cycle.cycle) }),
      ...(node === null ? {} : { "Mettle-Node": node.node.id }),
      "Mettle-Phase": command.phase ?? command.state,
      "Mettle-Key": command.key,
      ...(await namedRecord(context, command, node)),
    },
    dateMs: Date.parse(session.view.commands[command.key]?.at ?? ""),
  });
  const paths = (await changedPaths(repository, { from: parent, to: commit })).map((change) => change.path);
  const ref = `refs/mettle/runs/${run}/${refSafe(command.key)}`;
  await keep(context, ref, commit);
  if (left.base !== parent) await keep(context, `${ref}-start`, left.base);
  const { tree, base: from } = left;
  const of = node === null ? {} : { node: node.node.id };
  const attempt = tried === undefined ? {} : { tried: [tried] };
  const made = { key: command.key, kind, ...of, commit, tree, parent, from, paths, ref, ...attempt };
  return [{ type: "commit.made", ...made }];
}

/**
 * Names the record that will be about this commit. A node's work that its gate lays on a newer head is judged as another
 * commit, so it names none.
 */
async function namedRecord(
  { session }: RunContext,
  { key }: Finished["command"],
  node: NodeWork | null,
): Promise<Readonly<Record<string, string>>> {
  await session.refresh();
  if (node !== null && !isInPlace(session.view.nodes, node)) return {};
  return { [recordTrailer]: await session.reserve(key) };
}

/** Points a ref of the run at a commit; done twice it changes nothing. */
export async function keep({ repository }: RunContext, ref: string, commit: string): Promise<void> {
  await pointRef(repository, { ref, commit });
}
