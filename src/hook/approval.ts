/** Handles the approval of a gate that a person types in their session (ORC-69). Loaded on demand, since it opens the store. */
import type { AskCommand } from "../kernel/command.ts";
import { waitingAsks } from "../kernel/inspect.ts";
import { AppError } from "../lib/errors.ts";
import { answerAsk, findAsk } from "../engine/asks/answer.ts";
import { withHost } from "../run/host.ts";
import { openRun } from "../families/open-run.ts";
import { newestOrchestrateRun } from "../families/orchestrate/newest-run.ts";
import { authorInSession } from "../channel/person.ts";
import { onlyWaiting } from "../engine/waiting-run.ts";
import { isOver } from "../run/run-status.ts";
import { askKind } from "../views/asks.ts";
import { boundContents } from "../views/bound.ts";
import { pass, type HookDecision } from "./call.ts";

export async function onApproval(checkout: string, gate: "plan" | "code" | "any"): Promise<HookDecision> {
  return withHost(checkout, async (host) => {
    const newest = await newestOrchestrateRun(host);
    if (newest === null || isOver(newest)) return pass;
    const { run } = newest;
    const context = await openRun(host, { run });
    try {
      const wants = (each: AskCommand) =>
        each.answers.includes("approve") && (gate === "any" || askKind(each) === gate);
      await onlyWaiting(host, wants, ({ started }) => started?.protocol === newest.protocol);
      const ask = findAsk(context, waitingAsks(context.session.state), wants);
      await context.session.settle(
        ask.key,
        await answerAsk(context, { ask, outcome: "approve", by: authorInSession() }),
      );
      const text = `Mettle: the person approved (${ask.key}): ${boundContents(context.session.view.asks[ask.key]?.shown ?? {})}. Let run ${run} go on with the Bash tool: mettle resume ${run}`;
      return { type: "tell", text };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const text = `Mettle: nothing was approved: error[${error.code}]: ${error.message}. ${error.hint}`;
      return { type: "tell", text };
    }
  });
}
