/** What a run waits for, of its protocol and of its base, and how an answer is taken. */
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
  // What a node asks its parent is answered by that parent's Scaffold.
  const asked = waitingAsks(session.state).filter(isForPerson);
  return base === null ? asked : [base, ...asked];
}

/** No command of the kernel asks about the base, so none is settled: what the person said is a fact alone. */
export async function settleAsk(
  { session }: Pick<RunContext, "session">,
  ask: AskCommand,
  settlement: Settlement,
): Promise<void> {
  if (ask.key === baseKey) await session.record(settlement.facts ?? []);
  else await session.settle(ask.key, settlement);
}

/** A person takes the base as it is, by the number of tests that fail there or by all their names (PRV-02). */
export function acceptBase(
  { session, run }: Pick<RunContext, "session" | "run">,
  said: readonly string[],
  by: By,
) {
  const { base } = session.view;
  const words = said[0] === "accept" ? said.slice(1) : said;
  if (base === null || !acceptsBase(session.view, words))
    throw new AppError(
      "unknown_answer",
      `${words.join(" ") || "nothing"} is not what fails on the base commit of run ${run}`,
      {
        hint: `accept it by its number or by every name: \`${baseCommands(session.view)[0] ?? ""}\``,
      },
    );
  const { failing, count } = base;
  return { outcome: "accept", facts: [{ type: "base.accepted" as const, failing, count, by }] };
}
