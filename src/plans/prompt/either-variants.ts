/** A number of prompts or of approaches is either standalone or has variants, never both. */
import { AppError } from "../../lib/errors.ts";
import { idText, type PromptId } from "./prompt-id.ts";

export function refuseMixedVariants(
  id: PromptId,
  { others, what }: { readonly others: readonly PromptId[]; readonly what: string },
): void {
  const same = others.filter(({ number }) => number === id.number);
  const letters = same.flatMap(({ variant }) => variant ?? []);
  if (id.variant === null && letters.length > 0)
    throw new AppError("variants_exist", `${what} ${id.number} has the variants ${letters.join(", ")}`, {
      hint: "write another variant, or take another number",
      detail: { variants: letters },
    });
  if (id.variant !== null && letters.length < same.length)
    throw new AppError(
      "standalone_exists",
      `${what} ${id.number} stands alone, so there can be no ${idText(id)}`,
      {
        hint: "take another number, or write it without a letter",
      },
    );
}
