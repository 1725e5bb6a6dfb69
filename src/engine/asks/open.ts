/** Lists the open asks of a run, those of its protocol and the one about its base, and records the answers. */
import type { By } from "../../log/by.ts";
import { waitingAsks } from "../../kernel/inspect.ts";
import type { AskCommand } from "../../kernel/command.ts";
import { AppError } from "../../lib/errors.ts";
import { acceptsBase, baseAsk, baseCommands, baseKey } from "../../log/base-ask.ts";
import { isForPerson } from "../../log/open-asks.ts";
import type { RunContext } from "../../run/context.ts";
import type { Settlement } from "../../run/settlement.ts";

export function openAsksOf({ session }: Pick<RunContext, "session">): readonly AskCommand[] {
  const base = baseAsk(session.view);
  // The parent's Scaffold answers what a node asks its parent.
  const asks = waitingAsks(session.state).filter(isForPerson);
  return base === null ? asks : [base, ...asks];
}

/**
 * The ask about the base is not a kernel command, so its answer is only recorded as a fact.
 * @returns why the answer counts for nothing, if another one came first
 */
export async function settleAsk(
  { session }: Pick<RunContext, "session">,
  ask: AskCommand,
  settlement: Settlement,
): Promise<{ readonly ignored: string | null }> {
  if (ask.key !== baseKey) return session.settle(ask.key, settlement);
  await session.record(settlement.facts ?? []);
  return { ignored: null };
}

/** The error for an answer to an ask that has one. */
export function answeredFirst(
  { session, run }: Pick<RunContext, "session" | "run">,
  { key }: AskCommand,
): AppError {
  const first = session.view.answers.find((answer) => answer.key === key);
  const by = first === undefined ? "" : `: ${first.outcome} by ${first.who} (${first.answeredBy})`;
  return new AppError("nothing_waiting", `run ${run} was answered before${by}`, {
    hint: `the first answer counts; \`mettle status ${run}\` shows how the run goes on`,
  });
}

/** Accepts the failing tests of the base, named by their number or by all their names (PRV-02). */
export function acceptBase(
  { session, run }: Pick<RunContext, "session" | "run">,
  answer: readonly string[],
  by: By,
) {
  const { base } = session.view;
  const words = answer[0] === "accept" ? answer.slice(1) : answer;
  if (base === null || !acceptsBase(session.view, words))
    throw new AppError(
      "unknown_answer",
      `${words.join(" ") || "nothing"} does not match the failing tests on the base commit of run ${run}`,
      {
        hint: `accept it by its number or by every name: \`${baseCommands(session.view)[0] ?? ""}\``,
      },
    );
  const { failing, count } = base;
  return { outcome: "accept", facts: [{ type: "base.accepted" as const, failing, count, by }] };
}
