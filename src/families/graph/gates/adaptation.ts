/** Checks a Rebaser's changes beyond git's own merge: only adaptations, and no line of the sibling lost (V3-39, 63). */
import { resolutions } from "../../../gates/node/conflict-text.ts";
import { changedSymbols, mechanicalFault } from "../../../gates/node/mechanical-change.ts";
import { droppedLine, hasMarkers } from "../../../gates/node/mechanical-lines.ts";
import { loadParser } from "../../../source/syntax.ts";
import { changedPaths } from "../../../git/objects/tree.ts";
import type { ChangeEntry } from "../../../protocol/graph-types/shared.ts";
import type { RunContext } from "../../../run/context.ts";
import { projectAt } from "../../../proof/project/project.ts";

export interface AdaptationFault {
  readonly path: string;
  /** `src/a.ts:12: it adds an if statement`. */
  readonly why: string;
  /** `unfinished` can be retried; `semantic` is beyond a Rebaser's role. */
  readonly kind: "unfinished" | "semantic";
}

export interface AdaptationCommits {
  /** Commits or trees: the common base, the sibling's side, git's merge of both, and the result. */
  readonly base: string;
  readonly sibling: string;
  readonly merged: string;
  readonly after: string;
  readonly conflicts: readonly string[];
  readonly changes: readonly ChangeEntry[];
}

/** Returns the first fault; null if it only adapted. */
export async function adaptationFault(
  context: RunContext,
  adapted: AdaptationCommits,
): Promise<AdaptationFault | null> {
  const { repository } = context;
  const { base, sibling, merged, after, conflicts, changes } = adapted;
  const touched = await changedPaths(repository, { from: merged, to: after });
  const theirs = await changedPaths(repository, { from: base, to: sibling });
  const paths = [...new Set([...touched, ...theirs].map(({ path }) => path).concat(conflicts))];
  const [was, canon, git, now] = await Promise.all(
    [base, sibling, merged, after].map(async (at) => (await projectAt(repository, at)).texts(paths)),
  );
  const symbols = changedSymbols(changes);
  const parse = await loadParser();
  for (const path of conflicts) {
    const text = now?.get(path);
    if (text !== undefined && hasMarkers(text))
      return { path, why: `${path}: a conflict is still marked in it`, kind: "unfinished" };
  }
  for (const { path } of theirs) {
    const text = now?.get(path);
    if (text === undefined && canon?.has(path))
      return { path, why: `${path}:1: the sibling's file is gone`, kind: "semantic" };
    const line = droppedLine({
      base: was?.get(path) ?? "",
      sibling: canon?.get(path) ?? "",
      merged: git?.get(path) ?? "",
      after: text ?? "",
    });
    if (line !== null)
      return { path, why: `${path}: the sibling's line \`${line}\` is gone`, kind: "semantic" };
  }
  for (const { path, status } of touched) {
    const [old, text] = [git?.get(path), now?.get(path)];
    if (old === undefined || text === undefined)
      return { path, why: `${path}:1: the file is ${status} by the Rebaser`, kind: "semantic" };
    const fault = mechanicalFault({ path, befores: resolutions(old), after: text, symbols, parse });
    if (fault !== null) return { path, why: `${path}:${fault.line}: ${fault.what}`, kind: "semantic" };
  }
  return null;
}
