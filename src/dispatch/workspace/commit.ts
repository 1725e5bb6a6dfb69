/** Commits an agent's work: one deterministic commit for each dispatch that may write (CORE-69). */
import { changedPaths } from "../../git/objects/tree.ts";
import { commitTree, recordTrailer } from "../../git/objects/commit.ts";
import { refSafe } from "../../git/rescue.ts";
import { pointRefs } from "../../git/refs.ts";
import type { EventOf } from "../../log/run-event.ts";
import type { RunContext } from "../../run/context.ts";
import type { AgentResult } from "../../family/agent-result.ts";
import type { Work } from "../../family/work.ts";

export async function commitWork(
  { context, command, workspace, harvest }: AgentResult,
  role: "red" | "green" | "scaffold" | "rebased",
  tried?: string,
): Promise<readonly EventOf<"commit.made">[]> {
  const { repository, session, run, started } = context;
  const { work } = workspace;
  const { parent } = work;
  const { cycle, node } = work.of;
  const kind = work.kind ?? role;
  const commit = await commitTree(repository, {
    tree: harvest.tree,
    parents: [parent],
    subject: subjectOf({ what: subjects[kind], cycle, task: started.task }),
    trailers: {
      "Mettle-Run": run,
      ...(cycle === undefined ? {} : { "Mettle-Cycle": String(cycle) }),
      ...(node === undefined ? {} : { "Mettle-Node": node }),
      "Mettle-Phase": command.phase ?? command.state,
      "Mettle-Key": command.key,
      ...(await namedRecord(context, command, work)),
    },
    dateMs: Date.parse(session.view.commands[command.key]?.at ?? ""),
  });
  const paths = (await changedPaths(repository, { from: parent, to: commit })).map((change) => change.path);
  const ref = `refs/mettle/runs/${run}/${refSafe(command.key)}`;
  const start = harvest.base === parent ? [] : [{ ref: `${ref}-start`, commit: harvest.base }];
  await pointRefs(repository, [{ ref, commit }, ...start]);
  const { tree, base: from } = harvest;
  const of = node === undefined ? {} : { node };
  const attempt = tried === undefined ? {} : { tried: [tried] };
  const made = { key: command.key, kind, ...of, commit, tree, parent, from, paths, ref, ...attempt };
  return [{ type: "commit.made", ...made }];
}

/** The trailer with the id of the record that will judge this commit; none if the gate rebases the work first. */
async function namedRecord(
  { session }: RunContext,
  { key }: AgentResult["command"],
  work: Work,
): Promise<Readonly<Record<string, string>>> {
  await session.refresh();
  if (!work.isInPlace(session.view)) return {};
  return { [recordTrailer]: await session.reserve(key) };
}

/** Points a ref of the run at a commit. Idempotent. */
export async function keep({ repository }: RunContext, ref: string, commit: string): Promise<void> {
  await pointRefs(repository, [{ ref, commit }]);
}

/** The first line of each kind of commit. */
const subjects: Readonly<Record<EventOf<"commit.made">["kind"], string>> = {
  scaffold: "Add the scaffold",
  red: "Add failing tests",
  green: "Make the tests pass",
  test_refactor: "Refactor the tests",
  impl_refactor: "Refactor the implementation",
  rebased: "Adapt to what a sibling merged",
  other: "Work",
};

/** `Add failing tests (cycle 2): the task`: the commits of two cycles differ. */
export function subjectOf(of: {
  readonly what: string;
  /** From 1. */
  readonly cycle: number | undefined;
  readonly task: string;
}): string {
  return `${of.what}${of.cycle === undefined ? "" : ` (cycle ${of.cycle})`}: ${of.task}`;
}
