/** `envoy git diff-base`: the changes of a checkout against the base branch, committed or not. */
import { git, fields } from "../../git/git.ts";
import { fetchMissing } from "../../git/partial-clone.ts";
import { readRef } from "../../git/refs.ts";
import {
  currentBranch,
  headCommit,
  headsPrefix,
  inStore,
  mergeBase,
  resolveCommit,
  type Repository,
} from "../../git/repository.ts";
import { snapshot } from "../../git/objects/snapshot.ts";
import { AppError } from "../../lib/errors.ts";
import { relativePath } from "../relative-path.ts";

export interface DiffOptions {
  /** `BASE_BRANCH`; null to detect it. */
  readonly base: string | null;
  readonly path: string | null;
  readonly summary: boolean;
}

export async function diffBase(repository: Repository, { base, path: given, summary }: DiffOptions) {
  const head = await headCommit(repository);
  const found = base === null ? await findBase(repository, head) : await namedBase(repository, base, head);
  await fetchMissing(repository, found.commit);
  const { tree } = await snapshot(repository, { workspace: repository.checkout, base: head });
  const path = given === null ? null : relativePath(given);
  const range = [found.commit, tree, ...(path === null ? [] : ["--", `:(literal)${path}`])];
  const changed = await changedFiles(repository, range);
  const plain = ["--no-color", "--no-ext-diff", "--no-textconv", "--no-renames", "--patch"];
  const diff = summary
    ? ""
    : (await git(inStore(repository), ["diff-tree", "-r", ...plain, ...range])).toString("utf8");
  return {
    diff,
    changed_files: changed,
    base_branch: found.branch,
    current_branch: await currentBranch(repository),
    ...(path !== null && { path }),
  };
}

const defaultBases = ["main", "master", "develop", "staging", "production"];

async function findBase(repository: Repository, head: string) {
  for (const branch of defaultBases) {
    if ((await readRef(repository, headsPrefix + branch)) === null) continue;
    const commit = await mergeBase(repository, headsPrefix + branch, head);
    if (commit !== null) return { branch, commit };
  }
  throw new AppError("no_base_branch", `none of ${defaultBases.join(", ")} shares history with this branch`, {
    hint: "name the branch: BASE_BRANCH=NAME",
  });
}

async function namedBase(repository: Repository, branch: string, head: string) {
  const commit = await mergeBase(repository, await resolveCommit(repository, branch), head);
  if (commit !== null) return { branch, commit };
  throw new AppError("no_base_branch", `BASE_BRANCH is ${branch}, which shares no history with this branch`, {
    hint: "name another branch, or unset BASE_BRANCH",
  });
}

/** Counts replaced lines as modified, the others as added or deleted. */
async function changedFiles(repository: Repository, range: readonly string[]) {
  const plain = ["--no-renames", "--no-ext-diff", "--no-textconv", "--no-color"];
  const args = ["diff-tree", "-r", "-z", ...plain, "--numstat", "--patch", "--unified=0", ...range];
  const output = await git(inStore(repository), args);
  // An empty field separates the counts from the patches.
  const end = output.indexOf("\0\0");
  const stats = fields(output.subarray(0, end + 1));
  const paired = countModifiedLines(output.subarray(end + 2).toString("latin1"), stats.length);
  return stats.map((line, at) => {
    const [added = "", deleted = "", ...rest] = line.split("\t");
    const path = rest.join("\t");
    if (added === "-") return { path, added: 0, modified: 0, deleted: 0, binary: true as const };
    const modified = paired[at] ?? 0;
    return { path, added: Number(added) - modified, modified, deleted: Number(deleted) - modified };
  });
}

/** The modified lines of each file, in git's order: for each hunk the smaller of its two counts. */
function countModifiedLines(patch: string, files: number): readonly number[] {
  const paired = Array.from({ length: files }, () => 0);
  let at = -1;
  let left = 0;
  for (const line of patch.split("\n")) {
    // Inside a hunk a line of the text may look like a header.
    if (left > 0 && /^[-+]/u.test(line)) {
      left -= 1;
      continue;
    }
    const [, from, to] = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/u.exec(line) ?? [];
    if (line.startsWith("diff --git ")) at += 1;
    else if (line.startsWith("@@ ")) {
      const [gone, come] = [Number(from ?? 1), Number(to ?? 1)];
      left = gone + come;
      paired[at] = (paired[at] ?? 0) + Math.min(gone, come);
    }
  }
  return paired;
}
