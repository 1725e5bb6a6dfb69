import { git, text } from "./git.ts";
import { listRefs, type Ref } from "./refs.ts";
import { headsPrefix, inStore, type Repository } from "./repository.ts";
import { listWorktrees } from "./worktree/worktree.ts";

export type RefVerdict = Ref & { readonly run: string } & (
    { readonly type: "remove" } | { readonly type: "keep"; readonly why: "unmerged" | "checked_out" }
  );

/** Mettle's own refs, including fetched branches of merge requests. */
const mettleRefs = /^refs\/(mettle|remotes\/[^/]+\/mettle)\//u;

/** Each run keeps a ref below this prefix for every committed step. */
const stepsPrefix = "refs/mettle/runs/";

/**
 * Judges the branches `mettle/<run>/…` and refs `refs/mettle/runs/<run>/…` of ended runs. A ref is removed only if its
 * commit is reachable from a kept ref, a branch only if that is not one of Mettle's refs: an unmerged result is kept, its
 * steps are removed. Rescue refs are kept.
 */
export async function judgeRefs(
  repository: Repository,
  ended: ReadonlySet<string>,
): Promise<readonly RefVerdict[]> {
  const candidates: (Ref & { readonly run: string })[] = [];
  for (const prefix of [`${headsPrefix}mettle/`, stepsPrefix]) {
    for (const found of await listRefs(repository, prefix)) {
      const run = found.ref.slice(prefix.length).split("/")[0] ?? "";
      if (ended.has(run)) candidates.push({ ...found, run });
    }
  }
  // Of several refs on one commit, the result is kept.
  candidates.sort((a, b) => rank(a.ref) - rank(b.ref) || (a.ref < b.ref ? -1 : 1));

  const checkedOut = new Set(
    (await listWorktrees(repository)).map(({ branch }) => headsPrefix + (branch ?? "")),
  );
  const byRef = new Map(candidates.map((candidate, order) => [candidate.ref, { ...candidate, order }]));
  const verdicts: RefVerdict[] = [];
  for (const [order, candidate] of candidates.entries()) {
    if (checkedOut.has(candidate.ref)) {
      verdicts.push({ ...candidate, type: "keep", why: "checked_out" });
      continue;
    }
    // A later candidate is either kept or reachable from a kept one.
    const isReachable = (await refsContaining(repository, candidate.commit)).some((ref) => {
      // A commit reachable only from Mettle's refs is not merged: a person finds it by its branch (V3-66).
      if (candidate.ref.startsWith(headsPrefix) && mettleRefs.test(ref)) return false;
      const other = byRef.get(ref);
      return other === undefined || other.commit !== candidate.commit || other.order < order;
    });
    verdicts.push(
      isReachable ? { ...candidate, type: "remove" } : { ...candidate, type: "keep", why: "unmerged" },
    );
  }
  return verdicts.sort((a, b) => (a.ref < b.ref ? -1 : 1));
}

async function refsContaining(repository: Repository, commit: string): Promise<readonly string[]> {
  const output = text(
    await git(inStore(repository), ["for-each-ref", "--format=%(refname)", `--contains=${commit}`]),
  );
  return output.split("\n").filter((ref) => ref !== "");
}

function isResult(ref: string): boolean {
  return ref.endsWith("/result");
}

function rank(ref: string): number {
  return isResult(ref) ? 0 : 1;
}
