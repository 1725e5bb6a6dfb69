/** Applies a person's feedback to the findings. Rejected variants are archived, not deleted. */
import * as z from "zod";
import {
  listFindings,
  readFindings,
  saveFindings,
  type Approach,
  type Findings,
} from "../findings/findings.ts";
import { toYaml } from "../front-matter.ts";
import type { PlanLocation } from "../find-plan.ts";
import { idText } from "../prompt/prompt-id.ts";
import { withPlan, type WriteFile } from "../write.ts";
import { OptionalText } from "./gate.ts";

export const GateFeedback = z.strictObject({
  user_required_changes: OptionalText,
  /** Set for a variant only. */
  rejected: z.boolean().optional(),
  question_answers: z.array(z.strictObject({ question: z.string(), answer: OptionalText })).default([]),
});
export type GateFeedback = z.infer<typeof GateFeedback>;

export interface FeedbackAnswer {
  /** Id of the answer. */
  readonly answer: string;
  /** Keys are `<specialist>_<N>[_<V>]`. */
  readonly feedback: Readonly<Record<string, GateFeedback>>;
}

/** Idempotent: an archived approach is no longer in the findings. */
export async function applyFeedback(plan: PlanLocation, { answer, feedback }: FeedbackAnswer): Promise<void> {
  const specialists = (await listFindings(plan)).map(({ specialist_name }) => specialist_name);
  for (const specialist of specialists)
    await withPlan(plan, async (write) => {
      const findings = await readFindings(plan, specialist);
      if (findings === null) return;
      const feedbackOn = (approach: Approach) => feedback[`${specialist}_${idText(approach)}`];
      const rejected = findings.approaches.filter((approach) => feedbackOn(approach)?.rejected === true);
      for (const approach of rejected) await archiveApproach(write, { specialist, approach, answer });
      const kept = findings.approaches
        .filter((approach) => !rejected.includes(approach))
        .map((approach) => withFeedback(approach, feedbackOn(approach)));
      const approaches = dropLetterOfLastVariant(kept, rejected);
      if (rejected.length > 0 || Object.keys(feedback).some((key) => key.startsWith(`${specialist}_`)))
        await saveFindings(write, { ...findings, approaches });
    });
}

async function archiveApproach(
  write: WriteFile,
  {
    specialist,
    approach,
    answer,
  }: { readonly specialist: string; readonly approach: Approach; readonly answer: string },
): Promise<void> {
  const text = toYaml({ specialist_name: specialist, rejected_by_answer: answer, approach });
  await write(`findings/_archive/${specialist}_${idText(approach)}_${answer}.yaml`, text);
}

function withFeedback(approach: Approach, feedback: GateFeedback | undefined): Approach {
  if (feedback === undefined) return approach;
  const changes = feedback.user_required_changes.trim();
  const answers = feedback.question_answers.filter(({ answer }) => answer.trim() !== "");
  const before = approach.user_addressed_questions.filter(
    ({ question }) => !answers.some((one) => one.question === question),
  );
  return {
    ...approach,
    pending_refinement: changes === "" ? approach.pending_refinement : feedback.user_required_changes,
    user_addressed_questions: [...before, ...answers],
  };
}

/** If only one variant of a number remains, it loses its letter. */
function dropLetterOfLastVariant(kept: Findings["approaches"], rejected: readonly Approach[]): Approach[] {
  const numbers = new Set(rejected.map(({ number }) => number));
  return kept.map((approach) => {
    const isAlone = kept.filter(({ number }) => number === approach.number).length === 1;
    return numbers.has(approach.number) && isAlone ? { ...approach, variant: null } : approach;
  });
}
