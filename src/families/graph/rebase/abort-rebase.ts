/**
 * Aborts a rebase that cannot be made (V3-64): the node's work is saved under a rescue ref, and its branch restarts on
 * the new head of its parent with the merged children and the locked tests.
 */
import { matchesAny } from "../../../source/paths.ts";
import type { Verdict } from "../../../gates/verdict.ts";
import { commitTree } from "../../../git/objects/commit.ts";
import { createRescueRef } from "../../../git/rescue.ts";
import { changedPaths, composeTree } from "../../../git/objects/tree.ts";
import type { RunEvent } from "../../../log/run-event.ts";
import { canonicalJson } from "../../../lib/hash.ts";
import type { RebaseConflict } from "../../../protocol/graph-types/rebaser.ts";
import type { RunContext } from "../../../run/context.ts";
import { graphRules } from "../facts.ts";
import { replayChildren } from "./replay-children.ts";
import { entryOf, type Node } from "../node.ts";
import { advanceBranch, retryWhileMoved } from "./place-work.ts";
import { currentPlace } from "./rebase-start.ts";

export type AbortResult =
  | {
      readonly type: "aborted";
      /** Names where the earlier work is kept. */
      readonly conflict: RebaseConflict;
      readonly facts: readonly RunEvent[];
    }
  /** The branch is not where the run left it: a child is being merged, or somebody moved it. */
  | { readonly type: "diverged"; readonly verdict: Verdict };

interface Abort {
  readonly conflict: RebaseConflict;
  readonly key: string;
}

/** Idempotent for one command. */
export async function abortRebase(context: RunContext, node: Node, abort: Abort): Promise<AbortResult> {
  const now = () => ({ ...node, entry: entryOf(context, node.id) });
  const result = await retryWhileMoved(context, async () => {
    const tried = await abortOnce(context, now(), abort);
    return tried.type === "diverged" ? "moved" : tried;
  });
  return result === "moved" ? abortOnce(context, now(), abort) : result;
}

async function abortOnce(context: RunContext, node: Node, { conflict, key }: Abort): Promise<AbortResult> {
  const { id, entry } = node;
  const { base, head } = currentPlace(context, node);
  const ref = await createRescueRef(context.repository, { run: context.run, node: id, key, commit: head });
  const { tip, without } = await replayChildren(context, node, base);
  const explained = { ...conflict, whyUnresolvable: whyOf(conflict, ref, without) };
  const commit = await withTests(context, node, { tip, key });
  const diverged = await advanceBranch(context, node, { to: commit, key });
  if (diverged !== null) return { type: "diverged", verdict: diverged };
  const payload = await context.payloads.put(canonicalJson(explained));
  return {
    type: "aborted",
    conflict: explained,
    facts: [
      { type: "work.rescued", key, ref, commit: head, reason: conflict.whyUnresolvable },
      {
        type: "node.moved",
        node: id,
        by: "reset",
        commit,
        base,
        ...(without.length === 0 ? {} : { without: [...without] }),
      },
      ...(entry.locked === null ? [] : [{ ...lockedOf(entry.locked), commit }]),
      { type: "node.accepted", node: id, exit: "RebaseConflict", ref: payload },
    ],
  };
}

function lockedOf({ node, files, required }: NonNullable<Node["entry"]["locked"]>) {
  return { type: "node.locked", node, files, required } as const;
}

function whyOf({ whyUnresolvable }: RebaseConflict, ref: string, without: readonly string[]): string {
  const kept = `the earlier work is kept at ${ref}`;
  const anew = `not on the new head; they start again with your next InitWork that contains them: ${without.join(", ")}`;
  return `${whyUnresolvable} (${without.length === 0 ? kept : `${kept}; ${anew}`})`;
}

/** Adds the locked tests on top. */
async function withTests(
  context: RunContext,
  { id, entry }: Node,
  { tip, key }: { readonly tip: string; readonly key: string },
): Promise<string> {
  const { repository, session, run } = context;
  const kept = await lockedTests(context, { id, entry });
  if (kept.size === 0) return tip;
  const tree = await composeTree(repository, {
    base: tip,
    overlay: entry.head,
    take: (path) => kept.has(path),
  });
  return commitTree(repository, {
    tree,
    parents: [tip],
    subject: `Keep the locked tests of ${id} for its next scaffold`,
    trailers: { "Mettle-Run": run, "Mettle-Node": id, "Mettle-Key": key },
    dateMs: Date.parse(session.view.commands[key]?.at ?? ""),
  });
}

/** Locked tests that the node itself added. The next scaffold assigns their criteria. */
async function lockedTests(
  context: RunContext,
  { entry }: Pick<Node, "id" | "entry">,
): Promise<ReadonlySet<string>> {
  const { tests } = await graphRules(context);
  const { base, head, locked } = entry;
  const changed = await changedPaths(context.repository, { from: base, to: head });
  const own = new Set(changed.map(({ path }) => path));
  const files = Object.keys(locked?.files ?? {});
  return new Set(files.filter((path) => own.has(path) && matchesAny(path, tests)));
}
