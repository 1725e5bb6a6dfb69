/** Answers a gate that a person approved when the run began: `run --approve`. */
import type { AskCommand } from "../../kernel/command.ts";
import type { By } from "../../log/by.ts";
import type { RunContext } from "../../run/context.ts";
import type { Settlement } from "../../run/settlement.ts";
import { askKind } from "../../views/asks.ts";
import { answerAsk } from "./answer.ts";

/** @returns null if a person must answer */
export async function preapproval(context: RunContext, ask: AskCommand): Promise<Settlement | null> {
  const kind = askKind(ask);
  const isApproved = (kind === "plan" || kind === "code") && context.started.preapproved.includes(kind);
  return isApproved ? answerAsk(context, { ask, outcome: "approve", by }) : null;
}

const by: By = { answeredBy: "preapproved", authenticated: true, who: "run --approve" };
