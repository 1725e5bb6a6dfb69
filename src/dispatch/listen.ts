/** Handles the agent's event stream: offers reports as decisions, sums usage, shows everything else as progress. */
import type { AgentEvent } from "../agents/agent.ts";
import type { DispatchCommand } from "../kernel/command.ts";
import type { RunEvent } from "../log/run-event.ts";
import { mask } from "../lib/mask.ts";
import type { RunContext } from "../run/context.ts";
import type { SaidWriter } from "../run/live/said-file.ts";
import type { Said } from "../run/live/said-window.ts";
import type { Decisions, OfferResult } from "./channel/decisions.ts";

/** Bounds what an agent with many denied tool calls writes into the journal. */
const maxDenied = 20;
const maxDetailChars = 1000;

export interface ListenOptions {
  readonly command: DispatchCommand;
  readonly decisions: Decisions;
  /** What people see of the agent while it works. */
  readonly said: Pick<SaidWriter, "add">;
}

export function listen(context: RunContext, { command, decisions, said }: ListenOptions) {
  const denied: RunEvent[] = [];
  let refusal: OfferResult | null = null;
  let share: number | null = null;
  let tokens: number | null = null;
  let costUsd: number | null = null;
  let printedAt = 0;
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
      const seen = saidBy(event);
      if (seen !== null) said.add(seen);
      const text = activityOf(event);
      if (text === null) return;
      if (event.type === "printed") {
        // A program may print a million lines.
        if (context.clock.now() - printedAt < printedEveryMs) return;
        printedAt = context.clock.now();
      }
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
    case "printed":
      return event.text.trim() === "" ? null : event.text;
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

/** What the file of the dispatch gets; null: nothing. */
function saidBy(event: AgentEvent): Said | null {
  switch (event.type) {
    case "text":
      return { kind: "says", text: event.text };
    case "printed":
      return { kind: "prints", text: event.text };
    case "tool":
      return { kind: "uses", text: `${event.name} ${event.detail}` };
    case "denied":
      return { kind: "denied", text: `${event.name} ${event.detail}` };
    case "report":
      return { kind: "reports", text: `${event.status} ${event.message}`.trim() };
    case "retry":
      return { kind: "retries", text: event.status === null ? "" : `HTTP status ${event.status}` };
    default:
      return null;
  }
}

/** Milliseconds between two printed lines that a terminal shows. */
const printedEveryMs = 200;
/** More than a line of a terminal. */
const maxActivity = 400;
