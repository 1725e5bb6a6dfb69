/** Overlays the refactored tests on the commit before their cycle, so that RED can judge them. */
import { isOfTests } from "../../../source/paths.ts";
import { commitTree } from "../../../git/objects/commit.ts";
import { refSafe } from "../../../git/rescue.ts";
import { pointRefs } from "../../../git/refs.ts";
import { composeTree } from "../../../git/objects/tree.ts";
import type { RunContext } from "../../../run/context.ts";
import type { Candidate } from "../../../engine/checks/work.ts";

interface OverlayRequest {
  readonly base: string;
  readonly work: Candidate;
  /** Key of the check. */
  readonly key: string;
  /** Suffix of the ref that keeps the commit. */
  readonly name: string;
}

/** Deterministic. A ref keeps the commit, since a record names it. */
export async function overlayTests(
  context: RunContext,
  { base, work, key, name }: OverlayRequest,
): Promise<string> {
  const { repository, settings, session, run } = context;
  const tree = await composeTree(repository, {
    base,
    overlay: work.commit,
    take: (path) => isOfTests(path, settings.paths),
  });
  const commit = await commitTree(repository, {
    tree,
    parents: [base],
    subject: "Apply the refactored tests to the commit before their cycle",
    trailers: { "Mettle-Run": run, "Mettle-Key": key },
    dateMs: Date.parse(session.view.commands[key]?.at ?? ""),
  });
  const ref = `refs/mettle/runs/${run}/${refSafe(`${key}-${name}`)}`;
  await pointRefs(repository, [{ ref, commit }]);
  return commit;
}
