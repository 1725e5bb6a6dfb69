/** Reads the prompt that a line names. */
import { readId, type PromptId } from "../../plans/prompt/prompt-id.ts";
import type { Given } from "../../lib/command-line/given.ts";

export function requiredPrompt(given: Given): PromptId {
  return readId(given.need("prompt_num"), given.text("variant"));
}

/** Null if it names none. */
export function optionalPrompt(given: Given): PromptId | null {
  return given.text("prompt_num") === null ? null : requiredPrompt(given);
}
