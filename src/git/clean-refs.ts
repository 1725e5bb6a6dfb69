import { git, text } from "./git.ts";
import { listRefs, type Ref } from "./refs.ts";
import { headsPrefix, inStore, type Repository } from "./repository.ts";
import { listWorktrees } from "./worktree/worktree.ts";

export type RefVerdict = Ref & { readonly run: string } & (
    { readonly type: "remove" } | { readonly type: "keep"; readonly why: "unmerged" | "checked_out" }
  );

/** Also what somebody fetched of the branches that were pushed for merge requests. */
const ownRefs = /^refs\/(mettle|remotes\/[^/]+\/mettle)\//u;

/** Below it each run keeps a ref of its own for every step that was committed. */
const stepsPrefix = "refs/mettle/runs/";

/**
 * The branches `mettle/<run>/…` and refs `refs/mettle/runs/<run>/…` of ended runs. One goes only when its commit is
 * reachable from a ref that stays, a branch only when that is no ref of Mettle's own: an unmerged result stays and the
 * steps that led to it go. Rescue refs stay.
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
  // Of several refs on one commit the result is the one to stay.
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
    // A candidate that is further on either stays itself, or leads to one that does.
    const isHeld = (await refsContaining(repository, candidate.commit)).some((ref) => {
      // What only Mettle's own refs still lead to was merged nowhere: its branch is how a person finds it (V3-66).
      if (candidate.ref.startsWith(headsPrefix) && ownRefs.test(ref)) return false;
      const other = byRef.get(ref);
      return other === undefined || other.commit !== candidate.commit || other.order < order;
    });
    verdicts.push(
      isHeld ? { ...candidate, type: "remove" } : { ...candidate, type: "keep", why: "unmerged" },
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
