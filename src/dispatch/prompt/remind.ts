/** The reminder for an agent that gave no decision, and how often it is sent (CORE-55). */
import type { Agent } from "../../agents/agent.ts";
import type { Protocol } from "../../protocol/machine.ts";
import type { OfferResult } from "../channel/decisions.ts";
import type { Prompt } from "../../family/family.ts";

export const reminder = "REMINDER: Emit a decision to complete this phase";

/** Max reminders in one dispatch; they are not charged. */
export function remindersOf({ roles, reminders = 1 }: Protocol, role: string): number {
  return roles[role]?.reminders ?? reminders;
}

/**
 * Includes why the last decision was refused, which the agent has not seen if the decision was read from its answer. An agent
 * without memory gets the whole prompt again.
 */
export function reminderFor(
  { remembers }: Pick<Agent, "remembers">,
  { text, codes }: Pick<Prompt, "text" | "codes">,
  refusal: OfferResult | null,
): string {
  const why = refusal?.type === "refused" ? [`Refused: ${refusal.why}`] : [];
  const message = [reminder, ...why, codes].filter((part) => part !== "").join("\n\n");
  return remembers ? message : `${text}\n\n${message}`;
}
