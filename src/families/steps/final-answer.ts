/** The final answer of an agent that followed printed steps, and the outputs of its protocol. */
import { parse } from "yaml";
import * as z from "zod";
import type { StepsProtocol } from "../../protocol/steps/merge.ts";

export const FinalAnswerPayload = z.strictObject({
  success: z.boolean(),
  merged: z.boolean().nullish(),
  reason: z.string().nullish(),
});

export interface FinalAnswer {
  readonly success: boolean;
  readonly merged?: boolean;
  readonly reason?: string;
}

/** Drops null fields. */
export function finalAnswer({ success, merged, reason }: z.infer<typeof FinalAnswerPayload>): FinalAnswer {
  return { success, ...(merged == null ? {} : { merged }), ...(reason == null ? {} : { reason }) };
}

export function sameAnswer(one: FinalAnswer, other: FinalAnswer): boolean {
  return one.success === other.success && one.merged === other.merged && one.reason === other.reason;
}

/** Whether the plan confirms the answer. A reason that the plan does not record is accepted. */
export function isConfirmedBy(plan: FinalAnswer, reported: FinalAnswer): boolean {
  return sameAnswer(
    plan.reason === undefined && reported.reason !== undefined ? { ...plan, reason: reported.reason } : plan,
    reported,
  );
}

/** Outputs are YAML: `{ success: true, merged: true }`. One of another shape cannot be compared and is skipped. */
export function outputsOf({ outputs }: Pick<StepsProtocol, "outputs">): readonly FinalAnswer[] {
  return outputs.flatMap(({ value }) => {
    const read = FinalAnswerPayload.safeParse(readYaml(value));
    return read.success ? [finalAnswer(read.data)] : [];
  });
}

export function answerText({ success, merged, reason }: FinalAnswer): string {
  const parts = [
    `success: ${success}`,
    ...(merged === undefined ? [] : [`merged: ${merged}`]),
    ...(reason === undefined ? [] : [`reason: ${JSON.stringify(reason)}`]),
  ];
  return `{ ${parts.join(", ")} }`;
}

function readYaml(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return null; // not YAML: text for people
  }
}
