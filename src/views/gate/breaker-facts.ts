/** Collects the facts of a breaker block from the journal: the trip, and the loop's findings by round. Pure. */
import type { AskCommand } from "../../kernel/command.ts";
import type { BreakerFacts, FindingRound } from "./breaker-block.ts";
import type { ReviewFinding } from "../../log/findings.ts";
import type { RunView } from "../../log/run-view.ts";

/** Null if the trip is not journaled yet. */
export function breakerFacts(view: RunView, ask: AskCommand): BreakerFacts | null {
  const breaker = view.breakers.findLast(({ key }) => key === ask.key);
  if (!breaker) return null;
  const { trigger, attempts, max, lastError, reset } = breaker;
  const gate = /^gate(\d)$/u.exec(ask.trip?.counter ?? "")?.[1];
  const rounds = gate === undefined ? [] : roundsOf(view, Number(gate));
  return { run: view.run, trigger, attempts, max, lastError: errorText(view, ask, lastError), reset, rounds };
}

/** The last error, or if it is empty the outcome of the cause. */
function errorText({ commands }: RunView, { causes }: AskCommand, lastError: string): string {
  if (lastError.trim() !== "") return lastError;
  const cause = causes.at(-1);
  const outcome = cause === undefined ? undefined : (commands[cause.key]?.result?.outcome ?? cause.outcome);
  return outcome === undefined
    ? "none is known"
    : `${cause?.key ?? ""} ended with ${outcome} and said nothing`;
}

/** The findings of both reviewers by round, to show whether the loop converges (CORE-78). */
function roundsOf(view: RunView, gate: number): readonly FindingRound[] {
  const rounds = view.rounds.filter((round) => round.gate === gate);
  return [...new Set(rounds.map(({ round }) => round))].map((number) => {
    const findings = rounds.filter(({ round }) => round === number).flatMap((round) => round.findings);
    const count = (status: ReviewFinding["status"]): number =>
      findings.filter((finding) => finding.status === status).length;
    return {
      round: number,
      new: count("new"),
      open: count("open"),
      fixed: count("fixed"),
      regression: count("regression"),
    };
  });
}
