/**
 * Stops a run before its next dispatch when a budget is used up: that of the run, of the dispatch's role, or of the day
 * (CORE-58, SEE-11). Agents at work may finish, so a budget can be exceeded by what they use.
 */
import type { Caps } from "../config/budget-schema.ts";
import { durationText } from "../config/durations.ts";
import { counted } from "../lib/counted.ts";
import { AppError } from "../lib/errors.ts";
import { spentByRole, spentOf, sumOf, type Spent } from "../log/spent.ts";
import type { RunContext } from "../run/context.ts";
import { usedToday } from "./limits/day-use.ts";

/** @throws budget_used, naming what was spent and the command that raises the budget */
export async function refuseUsedBudget(context: RunContext, role: string): Promise<void> {
  const { run } = context;
  for (const { of, key, caps, spent } of await scopesOf(context, role)) {
    const used = usedBudget(caps, spent);
    if (used === null) continue;
    throw new AppError("budget_used", `the budget of ${of} is used up: ${used.what}`, {
      hint: `\`mettle resume ${run} --set ${key}.${used.key}=${used.more}\` raises it, \`mettle abort ${run}\` ends the run`,
    });
  }
}

interface Scope {
  /** As in "the budget of". */
  readonly of: string;
  /** Key of its caps in mettle.yaml. */
  readonly key: string;
  readonly caps: Caps;
  readonly spent: Spent;
}

async function scopesOf(context: RunContext, role: string): Promise<readonly Scope[]> {
  const { settings, session } = context;
  const { roles = {}, day, ...caps } = settings.budget;
  const ofRole = roles[role];
  const scopes: Scope[] = [{ of: "this run", key: "budget", caps, spent: spentOf(session.view) }];
  if (ofRole !== undefined)
    scopes.push({
      of: `the role ${role} in this run`,
      key: `budget.roles.${role}`,
      caps: ofRole,
      spent: spentByRole(session.view)[role] ?? sumOf([]),
    });
  if (day !== undefined)
    scopes.push({
      of: "today, for all your runs on this machine,",
      key: "budget.day",
      caps: day,
      spent: sumOf(await usedToday(context)),
    });
  return scopes;
}

interface UsedBudget {
  readonly what: string;
  /** Key of the cap in mettle.yaml. */
  readonly key: string;
  /** Twice what is allowed or was used, as it is written there. */
  readonly more: string;
}

export function usedBudget(caps: Caps, spent: Spent): UsedBudget | null {
  const { costUsd, tokens, turns, workedMs, withoutCost, dispatches } = spent;
  if (isUsed(caps.costUsd, costUsd)) {
    const part = withoutCost === 0 ? "" : `, and ${withoutCost} of ${dispatches} dispatches reported no cost`;
    const what = `${dollars(costUsd ?? 0)} of ${dollars(caps.costUsd)}${part}`;
    return { what, key: "usd", more: String(raised(caps.costUsd, costUsd)) };
  }
  if (isUsed(caps.tokens, tokens))
    return {
      what: `${tokens} of ${caps.tokens} tokens`,
      key: "tokens",
      more: String(raised(caps.tokens, tokens)),
    };
  if (isUsed(caps.turns, turns))
    return {
      what: `agents had ${turns} of ${counted(caps.turns, "turn")}`,
      key: "turns",
      more: String(raised(caps.turns, turns)),
    };
  if (isUsed(caps.timeMs, workedMs))
    return {
      what: `agents worked ${durationText(workedMs)} of ${durationText(caps.timeMs)}`,
      key: "time",
      more: durationText(raised(caps.timeMs, workedMs)),
    };
  return null;
}

function isUsed(cap: number | null | undefined, used: number | null): cap is number {
  return cap != null && used !== null && used >= cap;
}

/** Twice the cap, and again until the run can go on with it. */
function raised(cap: number, used: number | null): number {
  let more = cap * 2;
  while (more <= (used ?? 0)) more *= 2;
  return more;
}

function dollars(amount: number): string {
  return `$${amount.toFixed(2)}`;
}
