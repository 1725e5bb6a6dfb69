/**
 * Refs that hosts share by a remote (SCL-04, 05). Each host remembers where it last saw them there: what differs from that was moved
 * here, and is pushed only if nobody else has moved it meanwhile.
 */
import { AppError } from "../../lib/errors.ts";
import { text, tryGit, type GitAnswer } from "../git.ts";
import { deleteRef, listRefs, pointRefs, readRef, readRefs, type Ref } from "../refs.ts";
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
  const there = await remoteRefs(repository, shared);
  const [before, here] = await Promise.all([
    refsBelow(repository, seen, shared.prefixes),
    refsBelow(repository, "", shared.prefixes),
  ]);
  const taken = [...there].flatMap(([ref, commit]): Ref[] => {
    const isMovedHere = here.get(ref) !== before.get(ref) && here.get(ref) !== commit;
    return isMovedHere || before.get(ref) === commit ? [] : [{ ref, commit }];
  });
  await follow(repository, shared, { own: taken, seen: taken });
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

/** Puts refs back to where they were last seen at the remote: what was moved here since was never pushed. */
export async function dropUnpushed(repository: Repository, refs: readonly string[]): Promise<void> {
  const before = await readRefs(
    repository,
    refs.map((ref) => named(seen, ref)),
  );
  for (const [at, ref] of refs.entries()) {
    const [commit, here] = [before[at] ?? null, await readRef(repository, ref)];
    if (here === null || here === commit) continue;
    if (commit === null) await deleteRef(repository, { ref, from: here });
    else await pointRefs(repository, [{ ref, commit }]);
  }
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
  const there = await remoteRefs(repository, shared);
  const known = contested.flatMap((ref): Ref[] => {
    const commit = there.get(ref);
    return commit === undefined ? [] : [{ ref, commit }];
  });
  await follow(repository, shared, { own: known.filter(({ ref }) => lost.includes(ref)), seen: known });
}

/** Fetches the commits of refs, then moves all at once. */
async function follow(
  repository: Repository,
  shared: SharedRefs,
  refs: { readonly own: readonly Ref[]; readonly seen: readonly Ref[] },
): Promise<void> {
  if (refs.seen.length === 0) return;
  const args = [
    "fetch",
    "--quiet",
    "--no-tags",
    "--no-write-fetch-head",
    "--recurse-submodules=no",
    "--stdin",
  ];
  // Into no ref: of several fetches at once, one would find it locked.
  const input = refs.seen.map(({ ref }) => `${ref}\n`).join("");
  const answer = await tryAtRemote(repository, shared, [...args, shared.remote], input);
  if (answer.exitCode !== 0) throw remoteFailed(shared.remote, answer);
  await pointRefs(repository, [
    ...refs.own,
    ...refs.seen.map(({ ref, commit }) => ({ ref: named(seen, ref), commit })),
  ]);
}

/** @returns name -> commit */
async function remoteRefs(repository: Repository, shared: SharedRefs): Promise<ReadonlyMap<string, string>> {
  const patterns = shared.prefixes.map((prefix) => `${prefix}*`);
  const answer = await tryAtRemote(repository, shared, ["ls-remote", "--refs", shared.remote, ...patterns]);
  if (answer.exitCode !== 0) throw remoteFailed(shared.remote, answer);
  const lines = text(answer.stdout)
    .split("\n")
    .filter((line) => line !== "");
  return new Map(
    lines.map((line) => {
      const [commit = "", ref = ""] = line.split("\t");
      return [ref, commit];
    }),
  );
}

/** Where the remote's refs were last seen, as far as they were taken over. */
const seen = "refs/mettle-seen/";

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
  input = "",
): Promise<GitAnswer> {
  return tryGit({ ...inStore(repository), cwd: repository.root }, args, { login, timeoutMs, input });
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
