/** Commits the stubs that RED needed apart from the tests; DE starts from them (TDP-33). */
import type { Stub } from "../../../source/stubs/script.ts";
import { commitTree } from "../../../git/objects/commit.ts";
import { refSafe } from "../../../git/rescue.ts";
import { pointRefs } from "../../../git/refs.ts";
import { treeWith } from "../../../git/objects/tree.ts";
import type { EventOf } from "../../../log/run-event.ts";
import type { RunContext } from "../../../run/context.ts";
import { subjectOf } from "../../../dispatch/workspace/commit.ts";

interface StubRequest {
  /** The accepted RED commit. */
  readonly red: string;
  /** Number of the cycle, from 1. */
  readonly cycle: number;
  readonly stubs: readonly Stub[];
  /** Key of the check. */
  readonly key: string;
}

/** Empty if the tests need no stubs. Deterministic. */
export async function commitStubs(
  { repository, run, session, started }: RunContext,
  { red, cycle, stubs, key }: StubRequest,
): Promise<readonly EventOf<"commit.made">[]> {
  if (stubs.length === 0) return [];
  const tree = await treeWith(repository, red, new Map(stubs.map(({ path, content }) => [path, content])));
  const commit = await commitTree(repository, {
    tree,
    parents: [red],
    subject: subjectOf({ what: "Stub what the tests load", cycle, task: started.task }),
    trailers: { "Mettle-Run": run, "Mettle-Key": key },
    dateMs: Date.parse(session.view.commands[key]?.at ?? ""),
  });
  const ref = `refs/mettle/runs/${run}/${refSafe(`${key}-stubs`)}`;
  await pointRefs(repository, [{ ref, commit }]);
  const paths = stubs.map(({ path }) => path);
  return [{ type: "commit.made", key, kind: "other", commit, tree, parent: red, paths, ref }];
}
