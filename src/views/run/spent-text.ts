/** What a run cost, as people and programs read it. Pure. */
import { counted } from "../../lib/counted.ts";
import { spentByAgent, spentByRole, spentOf, type Spent } from "../../log/spent.ts";
import type { RunView } from "../../log/run-view.ts";

interface SpentFigures {
  readonly tokens: number | null;
  readonly cost_usd: number | null;
  readonly dispatches: number;
  /** Dispatches that reported no cost. */
  readonly without_cost: number;
  readonly turns: number;
  readonly worked_ms: number;
}

export interface SpentJson extends SpentFigures {
  readonly roles: Readonly<Record<string, SpentFigures>>;
  readonly agents: Readonly<Record<string, SpentFigures>>;
}

export function spentJson(view: RunView): SpentJson {
  const each = (groups: Readonly<Record<string, Spent>>) =>
    Object.fromEntries(Object.entries(groups).map(([name, spent]) => [name, figuresOf(spent)]));
  return {
    ...figuresOf(spentOf(view)),
    roles: each(spentByRole(view)),
    agents: each(spentByAgent(view)),
  };
}

function figuresOf({ tokens, costUsd, dispatches, withoutCost, turns, workedMs }: Spent): SpentFigures {
  return { tokens, cost_usd: costUsd, dispatches, without_cost: withoutCost, turns, worked_ms: workedMs };
}

/** `$1.25 and 3400 tokens`, `unknown`; says how many dispatches reported no cost. */
export function spentText(view: RunView): string {
  const { costUsd, tokens, dispatches, withoutCost } = spentOf(view);
  const tokensText = tokens === null ? [] : [counted(tokens, "token")];
  if (costUsd === null) return ["unknown", ...tokensText].join(", ");
  const part =
    withoutCost === 0
      ? ""
      : ` (${withoutCost} of ${counted(dispatches, "dispatch", "dispatches")} reported none)`;
  return `${[`$${costUsd.toFixed(2)}`, ...tokensText].join(" and ")}${part}`;
}
