/** Reads the prompt that a line names. */
import { readId, type PromptId } from "../../plans/prompt/prompt-id.ts";
import type { InputValues } from "../../lib/command-line/input-values.ts";

export function requiredPrompt(given: InputValues): PromptId {
  return readId(given.need("prompt_num"), given.text("variant"));
}

/** Null if it names none. */
export function optionalPrompt(given: InputValues): PromptId | null {
  return given.text("prompt_num") === null ? null : requiredPrompt(given);
}
