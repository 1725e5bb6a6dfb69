/** What an agent is told that gave no decision, and how often (CORE-55). */
import type { Agent } from "../../agents/agent.ts";
import type { Protocol } from "../../protocol/machine.ts";
import type { Offer } from "../channel/decisions.ts";
import type { Prompt } from "../../family/family.ts";

export const reminder = "REMINDER: Emit a decision to complete this phase";

/** Reminders in one dispatch; uncharged. */
export function remindersOf({ roles, reminders = 1 }: Protocol, role: string): number {
  return roles[role]?.reminders ?? reminders;
}

/**
 * With why the last decision was refused: of one that was read from the answer the agent has heard nothing yet. Who
 * remembers nothing is told everything again.
 */
export function reminderFor(
  { remembers }: Pick<Agent, "remembers">,
  { text, codes }: Pick<Prompt, "text" | "codes">,
  refusal: Offer | null,
): string {
  const why = refusal?.type === "refused" ? [`Refused: ${refusal.why}`] : [];
  const said = [reminder, ...why, codes].filter((part) => part !== "").join("\n\n");
  return remembers ? said : `${text}\n\n${said}`;
}
