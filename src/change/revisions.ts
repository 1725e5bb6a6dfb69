/** Resolves the commits of a gate and checks their order (CORE-38). Executes no test. */
import { isShallow } from "../git/objects/borrowed-store.ts";
import { git, text } from "../git/git.ts";
import { inStore, isAncestor, mergeBase, resolveCommit, type Repository } from "../git/repository.ts";
import { trailersOf } from "../git/trailers.ts";
import { AppError } from "../lib/errors.ts";
import { shortCommit } from "../lib/short-commit.ts";

/** Full ids, or names as a person writes them. */
export interface Revisions {
  readonly base: string;
  readonly head: string;
  readonly red: string | null;
}

/** @returns full ids */
export async function revisionsOf(repository: Repository, named: Revisions): Promise<Revisions> {
  const resolve = (name: string) =>
    resolveCommit(repository, name).catch(async (error: unknown) => {
      throw (await isShallow(repository)) ? shallowClone(name) : error;
    });
  const [head, base] = [await resolve(named.head), await resolve(named.base)];
  if (!(await isAncestor(repository, { ancestor: base, of: head })))
    throw (await isShallow(repository))
      ? shallowClone(named.base)
      : await notBetween(repository, { base, head }, named);
  if (named.red === null) return { base, head, red: null };
  const red = await resolve(named.red);
  for (const [one, other] of [
    [base, red],
    [red, head],
  ] as const)
    if (!(await isAncestor(repository, { ancestor: one, of: other })))
      throw new AppError("not_a_descendant", `the RED commit ${named.red} is not between base and head`, {
        hint: "name the commit of the branch that added only the tests",
      });
  return { base, head, red };
}

/** The newest commit between base and head with the trailer of a RED phase. */
export async function redByTrailers(
  repository: Repository,
  { base, head }: Pick<Revisions, "base" | "head">,
): Promise<string> {
  const args = ["rev-list", "--first-parent", "--max-count=1000", `${base}..${head}`];
  const commits = text(await git(inStore(repository), args)).split("\n");
  for (const commit of commits.filter((one) => one !== "")) {
    const phase = (await trailersOf(repository, commit)).get("Mettle-Phase");
    if (phase !== undefined && redPhases.has(phase)) return commit;
  }
  throw new AppError("red_required", "no commit between base and head is marked as RED", {
    hint: "name it with --red REV, or judge the change without one: `mettle prove --base REV --head REV`",
  });
}

/** Names in orchestrate, riper, dptr and graph, and what a person may write. */
const redPhases: ReadonlySet<string> = new Set(["5 TDD_RED", "ℜ", "TDD", "red", "RED"]);

/** The two parents of a merge and their merge base. */
export async function sidesOfMerge(repository: Repository, head: string) {
  const args = ["rev-list", "--parents", "--max-count=1", head];
  const [, ours, theirs, ...more] = text(await git(inStore(repository), args)).split(" ");
  if (ours === undefined || theirs === undefined || more.length > 0)
    throw new AppError("not_a_merge", `${shortCommit(head)} is not a merge of two commits`, {
      hint: "name a merge commit as --head; for a squashed merge use `mettle prove`",
    });
  const common = await mergeBase(repository, ours, theirs);
  return { ours, theirs, common: common ?? ours };
}

export function shallowClone(base: string): AppError {
  return new AppError("shallow_clone", `this clone is shallow and lacks the history from ${base} to head`, {
    hint: "`git fetch --unshallow`; in a CI job check out the whole history (`fetch-depth: 0`, on GitLab `GIT_DEPTH: 0`)",
  });
}

async function notBetween(
  repository: Repository,
  { base, head }: Pick<Revisions, "base" | "head">,
  named: Revisions,
): Promise<AppError> {
  const common = await mergeBase(repository, base, head);
  return new AppError("not_a_descendant", `${named.head} does not descend from ${named.base}`, {
    hint:
      common === null
        ? "they have no common commit; name a base that the change started from"
        : `use their common commit: --base ${shortCommit(common)}; or merge ${named.base} first`,
  });
}
