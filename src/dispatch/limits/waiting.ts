/** Which open dispatches of a run wait for a usage limit of their account (CORE-77). */
import type { Turns } from "../../family/agent-result.ts";
import type { Command, DispatchCommand } from "../../kernel/command.ts";
import type { RunContext } from "../../run/context.ts";
import { accountOf } from "./account.ts";
import type { Pause } from "./pause-until.ts";
import { openPause, pauseAccount } from "./pauses.ts";

interface OpenCommands {
  /** Would start now. */
  readonly ready: readonly Command[];
  /** Run now. */
  readonly active: readonly Command[];
}

export interface WaitingDispatches {
  readonly keys: ReadonlySet<string>;
  /** Their accounts' pauses, the first to end first. */
  readonly pauses: readonly Pause[];
}

/** Journals each pause of which the run does not know. */
export async function waitingForLimits(
  context: RunContext,
  { ready, active }: OpenCommands,
): Promise<WaitingDispatches> {
  const pauses = new Map<string, Pause | null>();
  const keys = new Set<string>();
  for (const command of ready) {
    if (command.type !== "dispatch") continue;
    const account = accountOf(context.settings, command.role);
    if (!pauses.has(account)) pauses.set(account, await openPause(context, account));
    if (pauses.get(account) !== null) keys.add(command.key);
  }
  const open = [...pauses.values()].filter((pause) => pause !== null);
  const { paused } = context.session.view;
  // An agent at work may be the one that reached the limit: it journals the pause itself.
  const working = new Set(accountsOf(context, active));
  const unknown = open
    .map((pause) => pausedEvent(pause))
    .filter(({ account, until }) => paused[account]?.until !== until && !working.has(account));
  if (unknown.length > 0) await context.session.record(unknown);
  return { keys, pauses: open.toSorted((one, other) => one.until - other.until) };
}

function accountsOf({ settings }: RunContext, commands: readonly Command[]): readonly string[] {
  return commands.flatMap((command) =>
    command.type === "dispatch" ? [accountOf(settings, command.role)] : [],
  );
}

interface LimitedTurns extends Pick<Turns, "outcome" | "facts"> {
  readonly startedMs: number;
}

/** Pauses the account of a dispatch whose agent reached its limit. The kernel sees nothing of it, so no counter moves. */
export async function pauseDispatch(
  context: RunContext,
  { key, role }: DispatchCommand,
  { outcome, facts, startedMs }: LimitedTurns,
): Promise<void> {
  if (outcome.type === "ok") return;
  const { why, resets } = outcome;
  const account = accountOf(context.settings, role);
  const pause = await pauseAccount(context, { account, why, resets, startedMs });
  await context.session.record([...facts, pausedEvent(pause, key)]);
}

/** @param reachedBy key of the dispatch whose agent reached the limit */
function pausedEvent({ account, until, why }: Pause, reachedBy: string | null = null) {
  return { type: "account.paused", account, until: new Date(until).toISOString(), why, reachedBy } as const;
}
