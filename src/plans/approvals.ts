/**
 * Approvals by a review or a person's test. An approval holds for exactly one tree, and for another tree only if the two differ in
 * nothing but temporary log statements.
 */
import { readBlobs } from "../git/objects/contents.ts";
import type { Repository } from "../git/repository.ts";
import { changedPaths, listFiles, symlinkMode, submoduleMode, type TreeFile } from "../git/objects/tree.ts";
import { stripDebugLogs } from "./debug-logs/markers.ts";
import type { PlanPrompt, PromptFields } from "./prompt/prompt.ts";

export type ApprovalSource = PromptFields["reviews"][number]["source"];

/** The last judgement of the last iteration if it is an approval, else null. */
export function approvalOf(
  { fields }: PlanPrompt,
  source: ApprovalSource,
): { readonly tree: string | null } | null {
  const last = fields.walkthrough.at(-1)?.iteration ?? 0;
  const newest = fields.reviews.findLast((one) => one.source === source && one.iteration === last);
  return newest?.passed === true ? { tree: newest.tree } : null;
}

/** The approvals that a prompt needs before it may be merged. */
export function requiredApprovals({ fields }: PlanPrompt): readonly ApprovalSource[] {
  const isTested = fields.requires_manual_testing || fields.kind === "debug";
  return isTested ? ["review", "testing"] : ["review"];
}

/** The approvals that were given for another tree than this one. */
export async function lapsedApprovals(
  repository: Repository,
  prompt: PlanPrompt,
  tree: string,
): Promise<readonly ApprovalSource[]> {
  const lapsed: ApprovalSource[] = [];
  for (const source of requiredApprovals(prompt)) {
    const approval = approvalOf(prompt, source);
    if (approval === null) continue;
    if (approval.tree === null || !(await isSameButDebugLogs(repository, { approved: approval.tree, tree })))
      lapsed.push(source);
  }
  return lapsed;
}

/** @returns whether `tree` differs from the approved tree in removed temporary log statements at most */
export async function isSameButDebugLogs(
  repository: Repository,
  { approved, tree }: { readonly approved: string; readonly tree: string },
): Promise<boolean> {
  if (approved === tree) return true;
  const changed = await changedPaths(repository, { from: approved, to: tree });
  if (changed.some(({ status }) => status !== "modified")) return false;
  const paths = changed.map(({ path }) => path);
  const [before, after] = [
    await listFilesByPath(repository, approved),
    await listFilesByPath(repository, tree),
  ];
  for (const path of paths) {
    const [was, is] = [before.get(path), after.get(path)];
    if (was === undefined || is === undefined || was.mode !== is.mode) return false;
    if (was.mode === symlinkMode || was.mode === submoduleMode) return false;
    const blobs = await readBlobs(repository, [was.blob, is.blob]);
    const text = (blob: string) => blobs.get(blob)?.toString("latin1") ?? "";
    if (stripDebugLogs(text(was.blob), path).text !== text(is.blob)) return false;
  }
  return true;
}

async function listFilesByPath(repository: Repository, tree: string): Promise<ReadonlyMap<string, TreeFile>> {
  return new Map((await listFiles(repository, tree)).map((file) => [file.path, file]));
}
