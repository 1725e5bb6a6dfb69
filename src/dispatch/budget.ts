/** Stops a run before its next dispatch when its budget is used up (CORE-58). */
import { durationText } from "../config/durations.ts";
import type { Settings } from "../config/settings.ts";
import { AppError } from "../lib/errors.ts";
import { spentOf, type Spent } from "../log/spent.ts";
import type { RunContext } from "../run/context.ts";

/** @throws budget_used, naming what was spent and the command that raises the budget */
export function refuseUsedBudget({ run, settings, session }: RunContext): void {
  const used = usedBudget(settings.budget, spentOf(session.view));
  if (used === null) return;
  throw new AppError("budget_used", `the budget of this run is used up: ${used.what}`, {
    hint: `\`mettle resume ${run} --set budget.${used.key}=${used.more}\` raises it, \`mettle abort ${run}\` ends the run`,
  });
}

interface UsedBudget {
  readonly what: string;
  /** Key of `budget` in mettle.yaml. */
  readonly key: string;
  /** Twice the budget, as it is written there. */
  readonly more: string;
}

export function usedBudget(budget: Settings["budget"], spent: Spent): UsedBudget | null {
  const { costUsd, tokens, workedMs, withoutCost } = spent;
  if (budget.costUsd !== null && costUsd !== null && costUsd >= budget.costUsd) {
    const part =
      withoutCost === 0 ? "" : `, and ${withoutCost} of ${spent.dispatches} dispatches reported no cost`;
    const what = `${dollars(costUsd)} of ${dollars(budget.costUsd)}${part}`;
    return { what, key: "usd", more: String(budget.costUsd * 2) };
  }
  if (budget.tokens !== null && tokens !== null && tokens >= budget.tokens)
    return { what: `${tokens} of ${budget.tokens} tokens`, key: "tokens", more: String(budget.tokens * 2) };
  if (budget.timeMs !== null && workedMs >= budget.timeMs)
    return {
      what: `agents worked ${durationText(workedMs)} of ${durationText(budget.timeMs)}`,
      key: "time",
      more: durationText(budget.timeMs * 2),
    };
  return null;
}

function dollars(amount: number): string {
  return `$${amount.toFixed(2)}`;
}
