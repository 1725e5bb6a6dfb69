import { AppError } from "../lib/errors.ts";
import { fields, git, gitFailed, tryGit, type GitPlace } from "./git.ts";
import { findObjects } from "./objects/object-reader.ts";
import { inStore, type Repository } from "./repository.ts";

/** A full ref name: `refs/heads/…`, `refs/mettle/…`. */
export interface Ref {
  readonly ref: string;
  readonly commit: string;
}

export async function readRef(repository: Repository, ref: string): Promise<string | null> {
  const [commit] = await readRefs(repository, [ref]);
  return commit ?? null;
}

/** Reads refs in order; null for a missing one. */
export async function readRefs(
  repository: Repository,
  refs: readonly string[],
): Promise<readonly (string | null)[]> {
  return (await findObjects(repository, refs)).map((found) => found?.id ?? null);
}

/**
 * Moves a ref from `from` (null: it must not exist) to `to`. Returns false if it has moved elsewhere, and true if it is
 * already at `to`, so the call is idempotent.
 * @throws ref_blocked if its name conflicts with another ref
 */
export async function updateRef(
  repository: Repository,
  move: { ref: string; to: string; from: string | null },
): Promise<boolean> {
  const args = ["update-ref", "--no-deref", move.ref, move.to, move.from ?? zeros(move.to)];
  const answer = await tryGit(inStore(repository), args);
  if (answer.exitCode === 0) return true;
  const current = await readRef(repository, move.ref);
  if (current === move.to) return true;
  if (current !== move.from) return false;
  throw (await blockedRef(repository, move.ref)) ?? gitFailed(args, answer);
}

/** Moves refs unconditionally and atomically. @throws ref_blocked if a name conflicts with another ref */
export async function pointRefs(repository: Repository, refs: readonly Ref[]): Promise<void> {
  const args = ["update-ref", "--no-deref", "--stdin", "-z"];
  const input = refs.map(({ ref, commit }) => `update ${ref}\0${commit}\0\0`).join("");
  const answer = await tryGit(inStore(repository), args, { input });
  if (answer.exitCode === 0) return;
  for (const { ref } of refs) {
    const blocked = await blockedRef(repository, ref);
    if (blocked !== null) throw blocked;
  }
  throw gitFailed(args, answer);
}

/** Why git cannot create a ref, or null. A ref is a file, so it cannot be a folder of another ref or inside a ref. */
export async function blockedRef(repository: Repository, ref: string): Promise<AppError | null> {
  const parts = ref.split("/");
  const above = parts.slice(2, -1).map((_part, at) => parts.slice(0, at + 3).join("/"));
  const near = (await listRefs(repository, above[0] ?? ref)).map((one) => one.ref);
  const other = near.find((name) => name.startsWith(`${ref}/`) || above.includes(name));
  if (other === undefined) return null;
  const branch = other.startsWith("refs/heads/") ? other.slice("refs/heads/".length) : null;
  return new AppError("ref_blocked", `git cannot have ${ref} beside ${other}`, {
    hint:
      branch === null
        ? `give that ref another name: git update-ref ${other}-kept ${other} && git update-ref -d ${other}`
        : `rename that branch: git branch -m ${branch} NEW-NAME`,
    retry: "safe",
    detail: { ref, other },
  });
}

/** Deletes a ref at `from`. Returns false if it has moved; true if it does not exist. */
export async function deleteRef(repository: Repository, of: { ref: string; from: string }): Promise<boolean> {
  const args = ["update-ref", "--no-deref", "-d", of.ref, of.from];
  const answer = await tryGit(inStore(repository), args);
  const current = answer.exitCode === 0 ? null : await readRef(repository, of.ref);
  if (current === null) return true;
  if (current !== of.from) return false;
  throw gitFailed(args, answer);
}

/** All refs below a prefix such as `refs/mettle/`, sorted; without the last slash also the ref with that name. */
export function listRefs(repository: Repository, prefix: string): Promise<readonly Ref[]> {
  return listRefsAt(inStore(repository), prefix);
}

export async function listRefsAt(place: GitPlace, prefix: string): Promise<readonly Ref[]> {
  const format = "--format=%(refname)%00%(objectname)%00";
  const parts = fields(await git(place, ["for-each-ref", format, prefix]));
  const refs: Ref[] = [];
  for (let i = 0; i + 1 < parts.length; i += 2) {
    // The line break at the end of each line is part of the next field.
    refs.push({ ref: (parts[i] ?? "").trimStart(), commit: parts[i + 1] ?? "" });
  }
  return refs;
}

function zeros(id: string): string {
  return "0".repeat(id.length);
}
