/** The head of a gate's file about one prompt: everything that a person needs to decide. */
import { counted } from "../../lib/counted.ts";
import { stripControls } from "../../lib/text.ts";
import { compareClaims } from "../prompt/claimed-changes.ts";
import type { PlanLocation } from "../find-plan.ts";
import type { PlanPrompt } from "../prompt/prompt.ts";
import { idText } from "../prompt/prompt-id.ts";
import type { WorktreeState } from "../worktree/work.ts";

/** @param name of the gate */
export function howToAnswer(name: string, fields: readonly string[]): readonly string[] {
  return [
    "How to answer: fill in the fields, set `done: true` and save this file. Or run in your own terminal:",
    `  mettle answer ${name} ${fields.map((field) => `--set ${field}`).join(" ")}`,
    "If an answer is refused, the file of the same name with .error has the reason; your text is not changed.",
  ];
}

export function promptComments(
  plan: PlanLocation,
  { id, fields }: PlanPrompt,
  work: WorktreeState,
): readonly string[] {
  const last = fields.walkthrough.at(-1);
  // Compare with the shown tree, which may differ from the recorded one.
  const claims = compareClaims(
    fields.walkthrough,
    work.changed.map(({ path }) => path),
  );
  return [
    `Prompt ${idText(id)} of ${plan.branch}, by ${fields.delegated_to ?? "no agent"}`,
    "",
    ...part("Description", fields.description),
    ...part("Success criteria", fields.success_criteria),
    `Branch: ${work.branch}`,
    `Worktree: ${work.path ?? "none; check the branch out to look at it"}`,
    `Tree: ${work.tree}`,
    "",
    ...changes(work),
    ...(last === undefined
      ? []
      : part(`Iteration ${last.iteration}, as reported by its agent`, last.approach)),
    ...list("Reported as changed, but unchanged", claims.unverified_changes),
    ...list("Changed, but not reported", last === undefined ? [] : claims.unmentioned_changes),
  ].map(stripControls);
}

function changes({ changed, isCommitted }: WorktreeState): readonly string[] {
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
