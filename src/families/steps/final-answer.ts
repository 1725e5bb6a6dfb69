/** The final answer of an agent that followed printed steps, and the outputs that its protocol has. */
import { parse } from "yaml";
import { z } from "zod";
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

/** What is null was not said. */
export function finalAnswer({ success, merged, reason }: z.infer<typeof FinalAnswerPayload>): FinalAnswer {
  return { success, ...(merged == null ? {} : { merged }), ...(reason == null ? {} : { reason }) };
}

export function sameAnswer(one: FinalAnswer, other: FinalAnswer): boolean {
  return one.success === other.success && one.merged === other.merged && one.reason === other.reason;
}

/** A reason for which the plan has no word is the protocol's own. */
export function isConfirmedBy(plan: FinalAnswer, said: FinalAnswer): boolean {
  return sameAnswer(
    plan.reason === undefined && said.reason !== undefined ? { ...plan, reason: said.reason } : plan,
    said,
  );
}

/** Outputs are written as YAML: `{ success: true, merged: true }`. One of another shape is none that can be held against a plan. */
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
    return null; // a text for people
  }
}
