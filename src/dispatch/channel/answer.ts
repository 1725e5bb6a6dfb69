/** The decision in what an agent answered with, where it has not reported on the way. */
import type { AgentOutcome } from "../../agents/agent.ts";
import { reportFromText } from "../../agents/report.ts";
import type { Decisions, Offer } from "./decisions.ts";

/** A structured answer before the last line of the text. Returns what became of the last one that was offered. */
export function offerAnswer(decisions: Decisions, outcome: AgentOutcome): Offer | null {
  const structured =
    outcome.type === "ok" && outcome.structured !== undefined
      ? decisions.offer(outcome.structured, "structured")
      : null;
  const report = reportFromText(outcome.text);
  return report === null ? structured : decisions.offer(report, "line");
}
