/** The commands that change one prompt. */
import { findPlan } from "../../../plans/find-plan.ts";
import { completePrompt } from "../../../plans/prompt/complete-prompt.ts";
import { readNumber } from "../../../plans/prompt/prompt-id.ts";
import { recordImplementation } from "../../../plans/prompt/record-implementation.ts";
import { releasePrompt, startPrompt } from "../../../plans/prompt/start-prompt.ts";
import { writePrompt } from "../../../plans/prompt/write-prompt.ts";
import type { CommandCall, Data } from "../../command.ts";
import { onPrompt, requiredPrompt } from "../on-prompt.ts";

export async function write(call: CommandCall): Promise<Data> {
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

export const start = onPrompt((plan, id, { given }) =>
  startPrompt(plan, id, { specialist: given.need("specialist"), worktree: given.need("worktree") }),
);

export const release = onPrompt(releasePrompt);

export async function recordWork(call: CommandCall): Promise<Data> {
  const { given } = call;
  const id = requiredPrompt(given);
  const report = {
    walkthrough: given.need("walkthrough"),
    iteration: readNumber(given.need("iteration")),
    reason: given.text("refinement-reason"),
  };
  return recordImplementation(await findPlan(call), id, report);
}

export const complete = onPrompt(completePrompt);
