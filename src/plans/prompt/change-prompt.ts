/** Reads, checks and changes one prompt under the plan's lock. */
import { AppError } from "../../lib/errors.ts";
import { readPrompt, savePrompt, type PlanPrompt, type PromptFields } from "./prompt.ts";
import { idText, type PromptId } from "./prompt-id.ts";
import { withPlan, type PlanFolder, type WriteFile } from "../write.ts";

export interface PromptChange<T> {
  /** The changed fields; null leaves the file unchanged. */
  readonly fields: Partial<PromptFields> | null;
  readonly body?: string;
  readonly data: T;
}

export async function changePrompt<T>(
  plan: PlanFolder,
  id: PromptId,
  change: (prompt: PlanPrompt, write: WriteFile) => PromptChange<T> | Promise<PromptChange<T>>,
): Promise<T> {
  return withPlan(plan, async (write) => {
    const prompt = await readPrompt(plan, id);
    const { fields, body = prompt.body, data } = await change(prompt, write);
    if (fields !== null)
      await savePrompt(write, { ...prompt, body, fields: { ...prompt.fields, ...fields } });
    return data;
  });
}

/** Throws if the prompt is merged or its variant was not chosen. */
export function refuseDecided({ id, fields }: PlanPrompt): void {
  if (fields.status === "merged")
    throw new AppError("already_merged", `prompt ${idText(id)} is merged`, {
      hint: "write a new prompt for further work",
    });
  if (fields.variant_solution === "alternative" || fields.variant_solution === "discard")
    throw new AppError(
      "variant_decided",
      `the variant ${idText(id)} was decided: ${fields.variant_solution}`,
      {
        hint: "a person decided it at the variants gate; take another prompt: envoy plan next",
      },
    );
}

export function requireStarted({ id, fields }: PlanPrompt): string {
  if (fields.worktree_branch_name !== null) return fields.worktree_branch_name;
  throw new AppError("not_started", `prompt ${idText(id)} has not been started`, {
    hint: `envoy plan start-prompt ${idText(id).replace("_", " ")} --specialist NAME --worktree BRANCH`,
  });
}
