/** Lists merges that were not tested because there was no test runner, as long as their feature branch exists. */
import { readRef } from "../../git/refs.ts";
import { headsPrefix, type Repository } from "../../git/repository.ts";
import { listPlans } from "../gates/open-gates.ts";
import { listPrompts } from "../prompt/prompt.ts";
import { idText } from "../prompt/prompt-id.ts";
import { shortCommit } from "../../lib/short-commit.ts";

export interface UnverifiedMerge {
  readonly prompt: string;
  /** The feature branch. */
  readonly branch: string;
  readonly commit: string;
}

export async function unverifiedMerges(repository: Repository): Promise<readonly UnverifiedMerge[]> {
  const found: UnverifiedMerge[] = [];
  for (const plan of await listPlans(repository)) {
    if ((await readRef(repository, headsPrefix + plan.branch)) === null) continue;
    // Commands that need an unreadable plan report it.
    for (const { id, fields } of await listPrompts(plan).catch(() => []))
      if (fields.merge_commit_hash !== null && fields.verification === null)
        found.push({ prompt: idText(id), branch: plan.branch, commit: fields.merge_commit_hash });
  }
  return found;
}

/** Lines for people; none if every merge was tested. */
export function unverifiedText(merges: readonly UnverifiedMerge[]): readonly string[] {
  if (merges.length === 0) return [];
  const lines = merges.map(
    ({ prompt, branch, commit }) => `  prompt ${prompt} of ${branch}: commit ${shortCommit(commit)}`,
  );
  return [`UNVERIFIED merges of envoy, with no test runner to execute them:\n${lines.join("\n")}`];
}
