/** The commits that a gate is asked about: named, there, and in the order that a change has (CORE-38). Executes no test. */
import { isShallow } from "../git/objects/borrowed-store.ts";
import { git, text } from "../git/git.ts";
import { inStore, isAncestor, mergeBase, resolveCommit, type Repository } from "../git/repository.ts";
import { trailersOf } from "../git/trailers.ts";
import { AppError } from "../lib/errors.ts";

/** By full ids, or as a person names them. */
export interface Revisions {
  readonly base: string;
  readonly head: string;
  readonly red: string | null;
}

/** @returns full ids */
export async function revisionsOf(repository: Repository, named: Revisions): Promise<Revisions> {
  const head = await resolveCommit(repository, named.head);
  const base = await resolveCommit(repository, named.base).catch(async (error: unknown) => {
    throw (await isShallow(repository)) ? shallow(named.base) : error;
  });
  if (!(await isAncestor(repository, { ancestor: base, of: head })))
    throw (await isShallow(repository))
      ? shallow(named.base)
      : await notBetween(repository, { base, head }, named);
  if (named.red === null) return { base, head, red: null };
  const red = await resolveCommit(repository, named.red);
  for (const [one, other] of [
    [base, red],
    [red, head],
  ] as const)
    if (!(await isAncestor(repository, { ancestor: one, of: other })))
      throw new AppError(
        "not_a_descendant",
        `the RED commit ${named.red} does not lie between base and head`,
        {
          hint: "name the commit of the branch that brought the tests alone",
        },
      );
  return { base, head, red };
}

/** The newest commit of a RED phase on the way from base to head. */
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
  throw new AppError("red_required", "no commit between base and head says that it is RED", {
    hint: "name it with --red REV, or judge the change without one: `mettle prove --base REV --head REV`",
  });
}

/** As orchestrate, riper and dptr, and graph call it, and as a person may write it. */
const redPhases: ReadonlySet<string> = new Set(["5 TDD_RED", "ℜ", "TDD", "red", "RED"]);

/** The two lines of a merge and what they have in common. */
export async function sidesOfMerge(repository: Repository, head: string) {
  const args = ["rev-list", "--parents", "--max-count=1", head];
  const [, ours, theirs, ...more] = text(await git(inStore(repository), args)).split(" ");
  if (ours === undefined || theirs === undefined || more.length > 0)
    throw new AppError("not_a_merge", `${head.slice(0, 12)} is no merge of two commits`, {
      hint: "name a merge commit as --head; what was squashed is judged by `mettle prove`",
    });
  const common = await mergeBase(repository, ours, theirs);
  return { ours, theirs, common: common ?? ours };
}

function shallow(base: string): AppError {
  return new AppError(
    "shallow_clone",
    `this clone is shallow, and the way from ${base} to head is not in it`,
    {
      hint: "`git fetch --unshallow`; in a CI job check out with the whole history (`fetch-depth: 0`)",
    },
  );
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
        ? "the two have no commit in common; name a base from which the change was made"
        : `what ${named.head} alone changed: --base ${common.slice(0, 12)}, where the two parted; or merge ${named.base} first`,
  });
}
