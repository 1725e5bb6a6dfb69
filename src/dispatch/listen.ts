/** Handles the agent's event stream: offers reports as decisions, sums usage, shows everything else as progress. */
import type { AgentEvent } from "../agents/agent.ts";
import type { DispatchCommand } from "../kernel/command.ts";
import type { RunEvent } from "../log/run-event.ts";
import { mask } from "../lib/mask.ts";
import type { RunContext } from "../run/context.ts";
import type { Decisions, OfferResult } from "./channel/decisions.ts";

/** Bounds what an agent with many denied tool calls writes into the journal. */
const maxDenied = 20;
const maxDetailChars = 1000;

export function listen(
  context: RunContext,
  { command, decisions }: { readonly command: DispatchCommand; readonly decisions: Decisions },
) {
  const denied: RunEvent[] = [];
  let refusal: OfferResult | null = null;
  let share: number | null = null;
  let tokens: number | null = null;
  let costUsd: number | null = null;
  return {
    /** The refusal of the last report in the stream, which the agent has not seen yet. Cleared by this call. */
    refusal(): OfferResult | null {
      const last = refusal;
      refusal = null;
      return last;
    },
    denied: () => denied.slice(0, maxDenied),
    usage: () => ({ context: share, tokens, costUsd }),
    sink(event: AgentEvent): void {
      if (event.type === "alive" || event.type === "running") return;
      if (event.type === "report") {
        const offer = decisions.offer(event, "stream");
        refusal = offer.type === "refused" ? offer : null;
      }
      if (event.type === "denied") {
        const detail = mask(event.detail, context.host.secrets).slice(0, maxDetailChars);
        denied.push({ type: "agent.denied", key: command.key, tool: event.name, detail });
      }
      if (event.type === "usage") {
        if (event.context !== undefined) share = Math.max(share ?? 0, event.context);
        if (event.inputTokens !== undefined || event.outputTokens !== undefined)
          tokens = (tokens ?? 0) + (event.inputTokens ?? 0) + (event.outputTokens ?? 0);
        if (event.costUsd !== undefined) costUsd = (costUsd ?? 0) + event.costUsd;
      }
      const text = activityOf(event);
      if (text === null) return;
      // Masked before it is cut, so that no part of a secret stays.
      const what = mask(text, context.host.secrets).slice(0, maxActivity);
      context.progress({ type: "agent", key: command.key, role: command.role, agent: "", what });
    },
  };
}

/** What the agent does, for people; null: nothing that they would see. */
function activityOf(event: AgentEvent): string | null {
  switch (event.type) {
    case "text":
      return event.text;
    case "tool":
      return `${event.name} ${event.detail}`;
    case "denied":
      return `is denied ${event.name}`;
    case "report":
      return "reports";
    case "retry":
      return "asks its model again";
    default:
      return null;
  }
}

/** More than a line of a terminal. */
const maxActivity = 400;
