/**
 * A node's head may move between a dispatch and the gate that judges its work: a child was merged, or the node was
 * rebased. The gate judges the work on the current head, and the branch moves to that.
 */
import { conclude, failed, shortList, unclear } from "../../../gates/check.ts";
import type { Verdict } from "../../../gates/verdict.ts";
import { commitTree } from "../../../git/objects/commit.ts";
import { readRef, updateRef } from "../../../git/refs.ts";
import { refSafe } from "../../../git/rescue.ts";
import { mergeOnBase } from "../../../git/replay.ts";
import { changedPaths } from "../../../git/objects/tree.ts";
import type { Candidate } from "../../../engine/checks/work.ts";
import type { RunContext } from "../../../run/context.ts";
import { keep } from "../../../dispatch/workspace/commit.ts";
import { nodeBranch, type Node } from "../node.ts";

export type PlacedWork =
  | { readonly type: "placed"; readonly work: Candidate }
  | { readonly type: "conflict"; readonly verdict: Verdict };

/** The same work on the same head gives the same commit. */
export async function placeWork(context: RunContext, work: Candidate, onto: string): Promise<PlacedWork> {
  if (work.parent === onto) return { type: "placed", work };
  const { repository, run } = context;
  const merged = await mergeOnBase(repository, { base: work.parent, ours: onto, theirs: work.commit });
  if (merged.type === "conflict") return { type: "conflict", verdict: conflict(onto, merged.paths) };
  const commit = await commitAs(context, work, { tree: merged.tree, parent: onto });
  await keep(context, `refs/mettle/runs/${run}/${refSafe(work.key)}-placed`, commit);
  const paths = (await changedPaths(repository, { from: onto, to: commit })).map(({ path }) => path);
  return { type: "placed", work: { ...work, commit, tree: merged.tree, parent: onto, paths } };
}

function conflict(onto: string, paths: readonly string[]): Verdict {
  const why = `the branch moved to ${onto} meanwhile, and both sides changed ${shortList(paths)}; repeat the work on the new head`;
  return conclude({ checks: [failed("conflict", why)], findings: [] });
}

/** Commits another tree with the message of a dispatch's own commit. */
export function commitAs(
  { repository, run, session, started }: RunContext,
  { key, kind, node }: Candidate,
  { tree, parent }: { readonly tree: string; readonly parent: string },
): Promise<string> {
  return commitTree(repository, {
    tree,
    parents: [parent],
    subject: `${placedSubjects[kind] ?? "Apply the work"}: ${started.task}`,
    trailers: {
      "Mettle-Run": run,
      ...(node === undefined ? {} : { "Mettle-Node": node }),
      "Mettle-Key": key,
    },
    dateMs: Date.parse(session.view.commands[key]?.at ?? ""),
  });
}

const placedSubjects: Readonly<Partial<Record<Candidate["kind"], string>>> = {
  scaffold: "Add the scaffold to the newest head",
  red: "Add failing tests",
  green: "Make the tests pass on the newest head",
};

/** Repeats the attempt while the branch has moved: a child's merge moves it before the journal has the event. */
export async function retryWhileMoved<Answer>(
  { clock, session }: Pick<RunContext, "clock" | "session">,
  attempt: () => Promise<Answer | "moved">,
  signal?: AbortSignal,
): Promise<Answer | "moved"> {
  for (let tries = 0; tries < maxAttempts; tries++) {
    const answer = await attempt();
    if (answer !== "moved") return answer;
    await clock.sleep(retryDelayMs, signal);
    await session.refresh();
  }
  return "moved";
}

const maxAttempts = 5;
const retryDelayMs = 300;

/**
 * Moves the node's branch to `to`. Null if it is there now, else why not. A commit of somebody else is never lost.
 * @param move key: the command, by which `undoUnjournaledMoves` recognizes the run's own move after a crash
 */
export async function advanceBranch(
  context: RunContext,
  { id, entry }: Node,
  { to, key }: { readonly to: string; readonly key: string },
): Promise<Verdict | null> {
  const { repository, run } = context;
  const ref = nodeBranch(run, id);
  const now = await readRef(repository, ref);
  const isOurs = now === null || now === entry.head || now === to;
  if (isOurs) {
    await keep(context, moveRef(run, key), to);
    if (await updateRef(repository, { ref, to, from: now })) return null;
  }
  const why = `${ref} is at ${now ?? "nothing"} and not at ${entry.head}, where the run left it; put it back or resume`;
  return conclude({ checks: [unclear("branch", why)], findings: [] });
}

/** The ref that records where a command moves its node's branch, written before the move. */
export function moveRef(run: string, key: string): string {
  return `refs/mettle/runs/${run}/${refSafe(key)}-move`;
}
