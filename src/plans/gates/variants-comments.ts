/** The head of the variants gate: status, branch and changes of each variant. */
import { stripControls } from "../../lib/text.ts";
import { approvalOf, requiredApprovals } from "../approvals.ts";
import type { PlanLocation } from "../find-plan.ts";
import type { PlanPrompt } from "../prompt/prompt.ts";
import { idText } from "../prompt/prompt-id.ts";
import { readWork } from "../worktree/work.ts";

export async function variantsComments(
  plan: PlanLocation,
  number: number,
  prompts: readonly PlanPrompt[],
): Promise<readonly string[]> {
  const each = await Promise.all(prompts.map((prompt) => variantComments(plan, prompt)));
  return [`Please choose among the variants of prompt ${number} of ${plan.branch}.`, "", ...each.flat()].map(
    stripControls,
  );
}

async function variantComments(plan: PlanLocation, prompt: PlanPrompt): Promise<readonly string[]> {
  const { id, fields } = prompt;
  const branch = fields.worktree_branch_name;
  const work = branch === null ? null : await readWork(plan.repository, { feature: plan.branch, branch });
  const approved = requiredApprovals(prompt).map(
    (source) => `${source} ${approvalOf(prompt, source) === null ? "not passed" : "passed"}`,
  );
  return [
    `${idText(id)}: ${fields.status}; ${approved.join(", ")}`,
    ...fields.description.split(/\r?\n/u).map((line) => `  ${line}`),
    `  Branch: ${branch ?? "not started"}`,
    ...(work === null
      ? []
      : [
          `  Worktree: ${work.path ?? "none"}`,
          `  Tree: ${work.tree}`,
          `  Changes: ${work.changed.map(({ path }) => path).join(", ") || "none"}`,
        ]),
    "",
  ];
}
