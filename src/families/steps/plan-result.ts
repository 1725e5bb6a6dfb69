/** The result of a work according to the plan, as an output of the protocol; null while unfinished (ENV-31). */
import { counted } from "../../lib/counted.ts";
import { listFindings } from "../../plans/findings/findings.ts";
import { readGitState } from "../../plans/prompt/missing-steps.ts";
import type { PlanLocation } from "../../plans/find-plan.ts";
import { idText } from "../../plans/prompt/prompt-id.ts";
import { readPrompt } from "../../plans/prompt/prompt.ts";
import type { FinalAnswer } from "./final-answer.ts";
import type { Subject } from "./work.ts";

export interface PlanResult {
  /** Null while something is missing. */
  readonly answer: FinalAnswer | null;
  /** For people and agents: `prompt 1 is implemented, in progress`. */
  readonly text: string;
  /** Whether a record of the plan proves that the project's tests passed. */
  readonly isVerified: boolean;
}

export async function planResult(plan: PlanLocation, subject: Subject): Promise<PlanResult> {
  return subject.type === "prompt" ? ofPrompt(plan, subject) : ofFindings(plan, subject);
}

async function ofPrompt(
  plan: PlanLocation,
  { id }: Extract<Subject, { type: "prompt" }>,
): Promise<PlanResult> {
  const prompt = await readPrompt(plan, id);
  const { status, in_progress, variant_solution: solution, verification } = prompt.fields;
  const name = `prompt ${idText(id)}`;
  const unverified = { isVerified: false };
  if (solution === "alternative")
    return { ...unverified, answer: kept("alternative"), text: `${name} is kept as an alternative` };
  if (solution === "discard")
    return { ...unverified, answer: kept("rejected"), text: `${name} is discarded` };
  const { isMerged } = await readGitState(plan, prompt);
  if (status === "merged" && isMerged) {
    const how =
      verification === null
        ? "UNVERIFIED: the project has no test runner"
        : `verified by ${verification.record}`;
    return {
      answer: { success: true, merged: true },
      text: `${name} is merged, ${how}`,
      isVerified: verification?.verdict === "pass",
    };
  }
  const gone = status === "merged" ? ", but its commit is not on the feature branch" : "";
  return {
    ...unverified,
    answer: null,
    text: `${name} is ${status}${gone}${in_progress ? ", in progress" : ""}`,
  };
}

const kept = (reason: string): FinalAnswer => ({ success: true, merged: false, reason });

async function ofFindings(
  plan: PlanLocation,
  { agent }: Extract<Subject, { type: "findings" }>,
): Promise<PlanResult> {
  const found = (await listFindings(plan)).find(({ specialist_name }) => specialist_name === agent);
  const approaches = found?.approaches ?? [];
  const unverified = { isVerified: false };
  if (approaches.length === 0)
    return { ...unverified, answer: null, text: `${agent} has written no approach` };
  const open = approaches.filter(({ pending_refinement }) => pending_refinement !== null);
  if (open.length > 0)
    return {
      ...unverified,
      answer: null,
      text: `${agent} has not made the changes that a person requested in approach ${open.map(idText).join(", ")}`,
    };
  return {
    ...unverified,
    answer: { success: true },
    text: `${agent} has written ${counted(approaches.length, "approach", "approaches")}`,
  };
}
