/** Reads the decision from an agent's final answer, if it did not report one during its turn. */
import type { AgentOutcome } from "../../agents/agent.ts";
import { reportFromText } from "../../agents/report.ts";
import type { Decisions, OfferResult } from "./decisions.ts";

/** Offers the structured answer, then the last line of the text. @returns the result of the last offer */
export function offerAnswer(decisions: Decisions, outcome: AgentOutcome): OfferResult | null {
  const structured =
    outcome.type === "ok" && outcome.structured !== undefined
      ? decisions.offer(outcome.structured, "structured")
      : null;
  const report = reportFromText(outcome.text);
  return report === null ? structured : decisions.offer(report, "line");
}
