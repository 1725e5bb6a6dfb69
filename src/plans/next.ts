/** `envoy plan next`: lists the prompts that can be worked on now. */
import { listPrompts, type PlanPrompt } from "./prompt/prompt.ts";
import { compareIds, idText } from "./prompt/prompt-id.ts";
import type { PlanFolder } from "./write.ts";

/** @param requested how many numbers; all variants of a number count as one */
export async function nextPrompts(plan: PlanFolder, requested: number) {
  const prompts = await listPrompts(plan);
  const isMerged = mergedNumbers(prompts);
  const open = prompts.filter(isOpen);
  const waiting = (prompt: PlanPrompt) => prompt.fields.depends_on.filter((number) => !isMerged.has(number));
  const eligible = open
    .filter((prompt) => !prompt.fields.in_progress && waiting(prompt).length === 0)
    .toSorted((a, b) => rank(a) - rank(b) || compareIds(a.id, b.id));
  const numbers = new Set([...new Set(eligible.map(({ id }) => id.number))].slice(0, requested));
  const chosen = eligible.filter(({ id }) => numbers.has(id.number));
  return {
    prompts: chosen.map(({ id, fields }) => ({
      prompt_num: id.number,
      variant: id.variant,
      description: fields.description,
      relevant_files: fields.relevant_files,
      kind: fields.kind,
    })),
    count: chosen.length,
    requested,
    in_progress: open.filter(({ fields }) => fields.in_progress).map(({ id }) => idText(id)),
    blocked: open
      .filter((prompt) => !prompt.fields.in_progress && waiting(prompt).length > 0)
      .map((prompt) => ({ id: idText(prompt.id), waiting_for: waiting(prompt) })),
    done: isDone(prompts),
  };
}

/** A number is merged when its prompt, or its main variant, is merged. */
export function mergedNumbers(prompts: readonly PlanPrompt[]): ReadonlySet<number> {
  return new Set(prompts.filter(({ fields }) => fields.status === "merged").map(({ id }) => id.number));
}

/** A plan without prompts is not done. */
export function isDone(prompts: readonly PlanPrompt[]): boolean {
  const isMerged = mergedNumbers(prompts);
  return prompts.length > 0 && prompts.every(({ id }) => isMerged.has(id.number));
}

function isOpen({ fields }: PlanPrompt): boolean {
  return (
    fields.status !== "merged" &&
    fields.variant_solution !== "alternative" &&
    fields.variant_solution !== "discard"
  );
}

const rank = ({ fields }: PlanPrompt): number => (fields.kind === "debug" ? 0 : 1);
