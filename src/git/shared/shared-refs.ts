/**
 * Refs that hosts share by a remote (SCL-04, 05). Each host remembers where it last saw them there: what differs from that was moved
 * here, and is pushed only if nobody else has moved it meanwhile.
 */
import { AppError } from "../../lib/errors.ts";
import { text, tryGit, type GitAnswer } from "../git.ts";
import { listRefs, pointRefs, type Ref } from "../refs.ts";
import type { RemoteLogin } from "../remote.ts";
import { inStore, type Repository } from "../repository.ts";

export interface SharedRefs {
  /** URL or path. */
  readonly remote: string;
  readonly login: RemoteLogin;
  /** Each ends with a slash. */
  readonly prefixes: readonly string[];
}

/** Takes over what others pushed. A ref that was moved here and is not pushed yet stays. @throws remote_failed */
export async function takeRefs(repository: Repository, shared: SharedRefs): Promise<void> {
  const { prefixes } = shared;
  await fetchRefs(repository, shared);
  const [there, before, here] = await Promise.all([
    refsBelow(repository, fetched, prefixes),
    refsBelow(repository, seen, prefixes),
    refsBelow(repository, "", prefixes),
  ]);
  const taken = [...there].flatMap(([ref, commit]): Ref[] => {
    const isMovedHere = here.get(ref) !== before.get(ref) && here.get(ref) !== commit;
    if (isMovedHere || before.get(ref) === commit) return [];
    return [
      { ref, commit },
      { ref: named(seen, ref), commit },
    ];
  });
  if (taken.length > 0) await pointRefs(repository, taken);
}

/**
 * Pushes what was moved here, all or nothing.
 * @returns the refs that somebody else has moved meanwhile; then nothing was pushed
 * @throws remote_failed
 */
export async function pushRefs(repository: Repository, shared: SharedRefs): Promise<readonly string[]> {
  const [before, here] = await Promise.all([
    refsBelow(repository, seen, shared.prefixes),
    refsBelow(repository, "", shared.prefixes),
  ]);
  const moved = [...here].filter(([ref, commit]) => before.get(ref) !== commit);
  if (moved.length === 0) return [];
  const args = [
    "push",
    "--porcelain",
    "--atomic",
    "--no-verify",
    "--no-follow-tags",
    "--recurse-submodules=no",
    ...moved.map(([ref]) => `--force-with-lease=${ref}:${before.get(ref) ?? ""}`),
    // By URL, so that git updates no remote-tracking ref.
    shared.remote,
    ...moved.map(([ref, commit]) => `${commit}:${ref}`),
  ];
  const answer = await tryAtRemote(repository, shared, args);
  if (answer.exitCode !== 0) {
    const stale = staleRefs(text(answer.stdout));
    if (stale.length === 0) throw remoteFailed(shared.remote, answer);
    return stale;
  }
  await pointRefs(
    repository,
    moved.map(([ref, commit]) => ({ ref: named(seen, ref), commit })),
  );
  return [];
}

/**
 * Looks where the remote has refs that somebody else has moved.
 * @param refs `contested`: may be pushed from there on; `lost`: of them, those that follow the remote
 * @throws remote_failed
 */
export async function yieldRefs(
  repository: Repository,
  shared: SharedRefs,
  { contested, lost }: { readonly contested: readonly string[]; readonly lost: readonly string[] },
): Promise<void> {
  await fetchRefs(repository, shared);
  const there = await refsBelow(repository, fetched, shared.prefixes);
  const known = contested.flatMap((ref): Ref[] => {
    const commit = there.get(ref);
    if (commit === undefined) return [];
    const own = lost.includes(ref) ? [{ ref, commit }] : [];
    return [...own, { ref: named(seen, ref), commit }];
  });
  if (known.length > 0) await pointRefs(repository, known);
}

async function fetchRefs(repository: Repository, shared: SharedRefs): Promise<void> {
  const specs = shared.prefixes.map((prefix) => `+${prefix}*:${named(fetched, prefix)}*`);
  const args = [
    "fetch",
    "--quiet",
    "--prune",
    "--no-tags",
    "--no-write-fetch-head",
    "--recurse-submodules=no",
  ];
  const answer = await tryAtRemote(repository, shared, [...args, shared.remote, ...specs]);
  if (answer.exitCode !== 0) throw remoteFailed(shared.remote, answer);
}

/** Where the remote's refs were last seen, as far as they were taken over; and as they were fetched last. */
const seen = "refs/mettle-seen/";
const fetched = "refs/mettle-fetched/";

function named(space: string, ref: string): string {
  return space === "" ? ref : ref.replace(/^refs\//u, space);
}

/** @returns own name of the ref -> commit */
async function refsBelow(
  repository: Repository,
  space: string,
  prefixes: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const lists = await Promise.all(prefixes.map((prefix) => listRefs(repository, named(space, prefix))));
  return new Map(
    lists.flat().map(({ ref, commit }) => [space === "" ? ref : ref.replace(space, "refs/"), commit]),
  );
}

/** Lines of `git push --porcelain`: flag, `from:to`, summary. Git says "stale info" of a ref that is not where the lease says. */
function staleRefs(output: string): readonly string[] {
  return output.split("\n").flatMap((line) => {
    const [flag, names = "", summary = ""] = line.split("\t");
    return flag === "!" && summary.includes("stale info") ? [names.slice(names.indexOf(":") + 1)] : [];
  });
}

const timeoutMs = 300_000;

function tryAtRemote(
  repository: Repository,
  { login }: SharedRefs,
  args: readonly string[],
): Promise<GitAnswer> {
  return tryGit({ ...inStore(repository), cwd: repository.root }, args, { login, timeoutMs });
}

export function remoteFailed(remote: string, { stderr, exitCode }: GitAnswer): AppError {
  const lines = stderr.split("\n").map((line) => line.trim());
  const said = lines.filter((line) => line !== "").join(" ") || `git ended with exit code ${exitCode}`;
  return new AppError("remote_failed", `the remote ${remote} cannot be used: ${said}`, {
    hint: "Make the remote reachable for this user, with the right to push branches and refs/mettle/.",
    retry: "safe",
    detail: { remote },
  });
}
