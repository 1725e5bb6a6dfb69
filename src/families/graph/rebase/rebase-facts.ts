/** The facts of a rebased node: its branch, its scaffold and tests on the new base, and its locks. */
import { hashFiles } from "../../../git/objects/contents.ts";
import { refSafe } from "../../../git/rescue.ts";
import { replay } from "../../../git/replay.ts";
import type { RunEvent } from "../../../log/run-event.ts";
import { canonicalJson } from "../../../lib/hash.ts";
import type { RunContext } from "../../../run/context.ts";
import { keep } from "../../../dispatch/workspace/commit.ts";
import type { Node } from "../node.ts";

export interface RebaseResult {
  readonly head: string;
  readonly base: string;
  /** Old commit -> new commit. */
  readonly rewritten: ReadonlyMap<string, string>;
  readonly exit: "RebaseClean" | "RebaseAdapted";
  /** Payload of the exit. */
  readonly payload: object;
  /** Key of the command. */
  readonly key: string;
}

export async function rebaseFacts(
  context: RunContext,
  { id, entry }: Node,
  { head, base, rewritten, exit, payload, key }: RebaseResult,
): Promise<readonly RunEvent[]> {
  const { repository, payloads, run } = context;
  const name = `refs/mettle/runs/${run}/${refSafe(key)}`;
  // Keeps the old head, which the journal still names.
  await keep(context, `${name}-before`, entry.head);
  const scaffold = entry.scaffold === null ? undefined : rewritten.get(entry.scaffold);
  const tests = await testsOn(context, entry, scaffold);
  if (tests !== undefined) await keep(context, `${name}-tests`, tests);
  const ref = await payloads.put(canonicalJson(payload));
  const { locked } = entry;
  return [
    {
      type: "node.moved",
      node: id,
      by: "rebase",
      commit: head,
      base,
      ...(scaffold === undefined ? {} : { scaffold }),
      ...(tests === undefined ? {} : { tests }),
    },
    ...(locked === null
      ? []
      : [
          {
            type: "node.locked",
            node: id,
            commit: head,
            required: locked.required,
            files: await hashFiles(repository, { commit: head, paths: Object.keys(locked.files) }),
          } as const,
        ]),
    { type: "node.accepted", node: id, exit, ref },
  ];
}

/** RED is measured on the scaffold alone (V3-32), so the tests are replayed on the new scaffold. */
async function testsOn(
  { repository }: RunContext,
  { scaffold, tests }: Node["entry"],
  onto: string | undefined,
): Promise<string | undefined> {
  if (scaffold === null || tests === null || onto === undefined) return undefined;
  const { tip, conflict } = await replay(repository, { from: scaffold, to: tests, onto });
  return conflict === null ? tip : undefined;
}
