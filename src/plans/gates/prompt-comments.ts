/** The head of a gate's file about one prompt: everything that a person needs to decide. */
import { counted } from "../../lib/counted.ts";
import { stripControls } from "../../lib/text.ts";
import { compareClaims } from "../prompt/claimed-changes.ts";
import type { PlanLocation } from "../find-plan.ts";
import type { Prompt } from "../prompt/prompt.ts";
import { idText } from "../prompt/prompt-id.ts";
import type { Work } from "../worktree/work.ts";

/** @param name of the gate */
export function howToAnswer(name: string, fields: readonly string[]): readonly string[] {
  return [
    "How to answer: fill in the fields, set `done: true` and save this file. Or, in a terminal of your own:",
    `  mettle answer ${name} ${fields.map((field) => `--set ${field}`).join(" ")}`,
    "A reason why an answer is not taken stands in the file of the same name with .error; nothing you wrote is changed.",
  ];
}

export function promptComments(plan: PlanLocation, { id, fields }: Prompt, work: Work): readonly string[] {
  const last = fields.walkthrough.at(-1);
  // Compare with the shown tree, which may differ from the recorded one.
  const claims = compareClaims(
    fields.walkthrough,
    work.changed.map(({ path }) => path),
  );
  return [
    `Prompt ${idText(id)} of ${plan.branch}, by ${fields.delegated_to ?? "nobody"}`,
    "",
    ...part("Description", fields.description),
    ...part("Success criteria", fields.success_criteria),
    `Branch: ${work.branch}`,
    `Worktree: ${work.path ?? "none; check the branch out to look at it"}`,
    `Tree: ${work.tree}`,
    "",
    ...changes(work),
    ...(last === undefined ? [] : part(`Iteration ${last.iteration}, as its agent tells it`, last.approach)),
    ...list("Told as changed, and not changed", claims.unverified_changes),
    ...list("Changed, and not told", last === undefined ? [] : claims.unmentioned_changes),
  ].map(stripControls);
}

function changes({ changed, isCommitted }: Work): readonly string[] {
  const lines = changed.slice(0, maxFiles).map(({ path, status }) => `  ${status.padEnd(8)} ${path}`);
  const rest = changed.length - lines.length;
  return [
    `Changes (${counted(changed.length, "file")}${isCommitted ? "" : ", not all of them committed"}):`,
    ...(lines.length === 0 ? ["  none"] : lines),
    ...(rest > 0 ? [`  and ${rest} more: envoy git diff-base --summary in the worktree lists them`] : []),
    "",
  ];
}

const maxFiles = 100;

function part(title: string, text: string): readonly string[] {
  const lines = text.trim().split(/\r?\n/u);
  return [`${title}:`, ...lines.map((line) => `  ${line}`), ""];
}

function list(title: string, paths: readonly string[]): readonly string[] {
  return paths.length === 0 ? [] : [`${title}: ${paths.join(", ")}`, ""];
}
