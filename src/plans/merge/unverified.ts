/** Merges that nobody has executed, since there was no test runner: told until their feature branch is gone. */
import { readRef } from "../../git/refs.ts";
import { headsPrefix, type Repository } from "../../git/repository.ts";
import { listPlans } from "../gates/open-gates.ts";
import { listPrompts } from "../prompt/prompt.ts";
import { idText } from "../prompt/prompt-id.ts";

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
    // A plan that cannot be read is told by the commands that need it.
    for (const { id, fields } of await listPrompts(plan).catch(() => []))
      if (fields.merge_commit_hash !== null && fields.verification === null)
        found.push({ prompt: idText(id), branch: plan.branch, commit: fields.merge_commit_hash });
  }
  return found;
}

/** For people: nothing where each merge was executed. */
export function unverifiedText(merges: readonly UnverifiedMerge[]): readonly string[] {
  if (merges.length === 0) return [];
  const lines = merges.map(
    ({ prompt, branch, commit }) => `  prompt ${prompt} of ${branch}: commit ${commit.slice(0, 12)}`,
  );
  return [`UNVERIFIED merges of envoy, with no test runner to execute them:\n${lines.join("\n")}`];
}
