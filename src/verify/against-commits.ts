/** Checks of a record against the commits that it names. Each returns why the record is wrong, or null. */
import { gateCommand } from "../evidence/gate-command.ts";
import type { EvidenceRecord } from "../evidence/record.ts";
import { hashFiles } from "../git/objects/contents.ts";
import { findObjects, readObjects } from "../git/objects/object-reader.ts";
import { treeOf } from "../git/objects/tree.ts";
import type { Repository } from "../git/repository.ts";

export interface CommitFault {
  readonly verdict: "fail" | "inconclusive";
  readonly why: string;
}

/** The commit exists with the recorded tree. */
export async function commitFault(
  repository: Repository,
  { commit, tree }: Pick<EvidenceRecord, "commit" | "tree">,
): Promise<CommitFault | null> {
  if (commit === null) return null;
  const [found] = await findObjects(repository, [commit]);
  if (found?.type !== "commit")
    return { verdict: "inconclusive", why: `commit ${commit} is not in this repository` };
  return (await treeOf(repository, commit)) === tree
    ? null
    : { verdict: "fail", why: `commit ${commit} has another tree than recorded` };
}

/** The files that a passed RED or GREEN froze have the recorded content: GREEN's are those of the RED that it names. */
export async function frozenFault(
  repository: Repository,
  record: EvidenceRecord,
  { isComposed = false }: { readonly isComposed?: boolean } = {},
): Promise<CommitFault | null> {
  const { purpose, verdict, hashes, commit } = record;
  if (verdict !== "pass" || commit === null || hashes.protected === null) return null;
  if (!["red", "green"].includes(purpose)) return null;
  // A composed RED is a commit of no repository, and has the frozen files of head.
  const red = isComposed ? null : (gateCommand(record)?.red ?? null);
  const paths = Object.keys(hashes.protected);
  const found: Readonly<Record<string, string>>[] = [];
  for (const at of [commit, ...(red === null ? [] : [red])])
    found.push(await hashFiles(repository, { commit: at, paths }));
  const changed = Object.entries(hashes.protected).find(([path, hash]) =>
    found.every((files) => files[path] !== hash),
  );
  return changed === undefined
    ? null
    : { verdict: "fail", why: `the content of ${changed[0]} in commit ${commit} is not what it froze` };
}

/** The record was not made long before its commit. */
export async function timeFault(
  repository: Repository,
  { commit, started }: Pick<EvidenceRecord, "commit" | "started">,
): Promise<CommitFault | null> {
  if (commit === null) return null;
  const [found] = await readObjects(repository, [commit]);
  const [, seconds] = /^committer .* (\d+) [+-]\d+$/mu.exec(found?.content.toString("utf8") ?? "") ?? [];
  const made = Number(seconds) * 1000;
  if (Number.isNaN(made) || Date.parse(started) >= made - clockDifferenceMs) return null;
  const why = `it started at ${started}, before commit ${commit} was made at ${new Date(made).toISOString()}`;
  return { verdict: "fail", why };
}

/** Clocks of two machines may differ. */
const clockDifferenceMs = 24 * 60 * 60 * 1000;
