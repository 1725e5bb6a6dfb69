/** The outcome of a command that drove a run, for `--json`: the outcome, the cycles, and what failed (TDP-66). */
import type { AskCommand } from "../kernel/command.ts";
import { failureAnalysis } from "../families/cycles/failure-analysis.ts";
import { hasMemoryBank } from "../memory/bank/files.ts";
import { progressOf } from "../families/cycles/progress.ts";
import type { RunContext } from "../run/context.ts";
import type { DriveEnd } from "../engine/drive.ts";
import { gateRows } from "../families/cycles/gate-rows.ts";
import type { CommandEntry } from "../log/commands.ts";
import { mostUrgent } from "./exit.ts";

/** The gate and its row, or the dispatch and its code, that failed. */
export interface FailureCause {
  readonly gate: string | null;
  readonly row: string | null;
  readonly dispatch: string | null;
  readonly code: string | null;
  readonly cycle: number | null;
  readonly why: string;
}

export interface Outcome {
  readonly outcome: string;
  readonly cycles: readonly { readonly cycle: number; readonly method: string; readonly status: string }[];
  readonly failing: FailureCause | null;
}

/** `detached`: other processes drive the run. */
export type RunEnd = DriveEnd | { readonly type: "detached" };

export async function outcomeOf(context: RunContext, end: RunEnd): Promise<Outcome> {
  return {
    outcome: outcomeName(context, end),
    cycles: await cyclesOf(context),
    failing: await failureOf(context, end),
  };
}

function outcomeName({ session }: RunContext, end: RunEnd): string {
  switch (end.type) {
    case "ended":
      return session.view.ended?.outcome ?? end.outcome;
    case "interrupted":
    case "detached":
      return end.type;
    case "waiting":
      return mostUrgent(end.asks);
    case "limited":
      return "limited";
  }
}

async function cyclesOf(context: RunContext): Promise<Outcome["cycles"]> {
  if (!hasMemoryBank(context.protocol)) return [];
  const { cycles } = await progressOf(context);
  return cycles.map(({ index, method, status }) => ({ cycle: index, method, status }));
}

async function failureOf(context: RunContext, end: RunEnd): Promise<FailureCause | null> {
  if (
    end.type === "interrupted" ||
    end.type === "detached" ||
    end.type === "limited" ||
    (end.type === "ended" && end.outcome === "complete")
  )
    return null;
  const failure = failureAnalysis(context);
  if (failure !== null) {
    const { cycle, class: kind, cause, summary } = failure;
    const isAgent = kind === "AGENT_FAILURE";
    return {
      ...noCause,
      cycle,
      ...(isAgent ? { code: cause } : { gate: gateBefore(context), row: cause }),
      why: summary,
    };
  }
  const entry = end.type === "waiting" ? causeOf(context, end.asks) : lastDispatch(context);
  return entry === null ? null : failureOfEntry(context, entry);
}

const noCause = { gate: null, row: null, dispatch: null, code: null, cycle: null } as const;

/** The command that caused the ask that decides the exit code; null if the ask is a plain decision. */
function causeOf({ session }: RunContext, asks: readonly AskCommand[]): CommandEntry | null {
  const ask = asks.find(({ as }) => as === mostUrgent(asks));
  const entry = session.view.commands[ask?.causes.at(-1)?.key ?? ""] ?? null;
  return ask?.as === "waiting" && entry?.line === undefined ? null : entry;
}

function lastDispatch({ session }: RunContext): CommandEntry | null {
  const { order, commands } = session.view;
  return (
    order
      .map((key) => commands[key])
      .findLast((entry) => entry?.command.type === "dispatch" && entry.result !== null) ?? null
  );
}

async function failureOfEntry(context: RunContext, entry: CommandEntry): Promise<FailureCause> {
  const { command, line, result } = entry;
  const why = result?.text ?? "";
  if (command.type !== "check")
    return { ...noCause, dispatch: line ?? command.key, code: result?.outcome ?? null, why };
  const shown = (await gateRows(context.session.view, context.payloads)).findLast(
    ({ key }) => key === command.key,
  );
  const row = shown?.rows.find(({ mark }) => mark === "fail" || mark === "inconclusive");
  return { ...noCause, gate: command.gate, row: row?.name ?? null, why: row?.why ?? why };
}

/** The gate that ended the cycle: the last failed one before the final run of the suite. */
function gateBefore({ session }: RunContext): string | null {
  return (
    session.view.judged.findLast(({ verdict, gate }) => verdict === "fail" && gate !== "suite")?.gate ?? null
  );
}
