/** The last change of mode: from, to, time, and what the next mode has to know (RIPER, Handoff Protocol; RIP-06). */
import type { RunContext } from "../../run/context.ts";

export interface Handoff {
  readonly from: string;
  readonly to: string;
  readonly summary: string;
  /** ISO 8601 UTC. */
  readonly at: string;
}

/** Null before the first handoff. A summary given by somebody takes precedence over the journal's. */
export function handoffOf({ session }: Pick<RunContext, "session">): Handoff | null {
  const { order, commands, handoffs } = session.view;
  const entries = order
    .flatMap((key) => commands[key] ?? [])
    .filter(({ command }) => command.mode !== undefined);
  const to = entries.at(-1)?.command.mode;
  const change = entries.findLastIndex(({ command }) => command.mode !== to) + 1;
  const [before, after] = [entries[change - 1], entries[change]];
  if (to === undefined || before === undefined || after === undefined) return null;
  const given = handoffs.findLast(
    (handoff) => handoff.to === to && handoff.at >= (before.result?.at ?? before.at),
  );
  return {
    from: before.command.mode ?? "",
    to,
    summary: given?.summary ?? summaryOf(before),
    at: given?.at ?? after.at,
  };
}

function summaryOf({ command, result }: RunContext["session"]["view"]["commands"][string]): string {
  const text = result?.text ?? "";
  return `${command.state} ended with ${result?.outcome ?? "nothing"}${text === "" ? "" : `: ${text}`}`;
}
