import { findPlan } from "../../../plans/find-plan.ts";
import { readNumber } from "../../../plans/prompt/prompt-id.ts";
import { writePrompt } from "../../../plans/prompt/write-prompt.ts";
import type { CommandCall, Data } from "../../command.ts";
import { requiredPrompt } from "../prompt-argument.ts";

export async function run(call: CommandCall): Promise<Data> {
  const { given } = call;
  const id = requiredPrompt(given);
  const text = {
    description: given.text("description"),
    context: given.text("context"),
    criteria: given.text("criteria"),
    files: given.list("files"),
    dependsOn: given.list("depends-on")?.map(readNumber) ?? null,
    debug: given.flag("debug"),
    requiresTesting: given.flag("requires-testing"),
  };
  return writePrompt(await findPlan(call), id, text);
}
