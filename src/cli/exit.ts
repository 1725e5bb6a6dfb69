/** Exit codes of a run (docs/errors.md). With several open asks the highest code applies. */
import type { AskCommand } from "../kernel/command.ts";
import type { RunView } from "../log/run-view.ts";
import type { AskStatus } from "../protocol/machine.ts";
import { environmentErrorOf } from "../views/asks.ts";

export function exitOfEnd(outcome: string): number {
  return outcome === "complete" ? 0 : 1;
}

export function exitOfAsks(asks: readonly AskCommand[]): number {
  return Math.max(...asks.map((ask) => codes[ask.as]), 0);
}

/** A budget that is used up is no fault of the environment: a person decides, as at a breaker (CORE-58). */
export function exitOfWaiting(view: RunView, asks: readonly AskCommand[]): number {
  const isUsedUp = asks.some((ask) => environmentErrorOf(view, ask)?.code === "budget_used");
  return isUsedUp ? codes.escalated : exitOfAsks(asks);
}

export const exitOfEnvironment = 5;

/** The status of the ask that decides the exit code. */
export function mostUrgent(asks: readonly AskCommand[]): AskStatus {
  const code = exitOfAsks(asks);
  return asks.find((ask) => codes[ask.as] === code)?.as ?? "waiting";
}

const codes: Readonly<Record<AskStatus, number>> = { failed: 1, waiting: 3, escalated: 4, inconclusive: 5 };
