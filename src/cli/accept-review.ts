/** `mettle approve <prompt> --gate review --reason TEXT`: a person accepts work that no reviewer could judge. */
import { environment } from "../config/env.ts";
import { AppError } from "../lib/errors.ts";
import { findPlan } from "../plans/find-plan.ts";
import { readId } from "../plans/prompt/prompt-id.ts";
import { acceptReview } from "../plans/review/accept.ts";
import type { CliResult, Io } from "./command.ts";
import { requirePerson } from "../channel/person.ts";

export async function acceptPromptReview(
  io: Io,
  { id: promptId, gate, reason }: { readonly id: string; readonly gate: string; readonly reason: string },
): Promise<CliResult> {
  if (gate !== "review")
    throw new AppError("usage", `the gate ${gate} cannot be approved this way`, {
      hint: "--gate review; answer other gates by: mettle answer GATE --set FIELD=VALUE",
    });
  const by = requirePerson();
  const id = readId(promptId, null);
  const plan = await findPlan({ cwd: io.cwd, path: environment()["PATH"] ?? "", featureBranch: null });
  const { tree } = await acceptReview(plan, id, { reason, by });
  return {
    exit: 0,
    json: { prompt: promptId, branch: plan.branch, gate, tree },
    text: `accepted ${promptId} of ${plan.branch} without a review, as it is now (tree ${tree})`,
  };
}
