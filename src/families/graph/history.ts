/** What happened in a node: the results of its frame, oldest first. */
import type { Command } from "../../kernel/command.ts";
import type { RunContext } from "../../run/context.ts";

export interface NodeResult {
  readonly key: string;
  readonly command: Command;
  readonly outcome: string;
  readonly payload: string | null;
  readonly text: string;
}

type WithSession = Pick<RunContext, "session">;

export function resultsOf({ session }: WithSession, frame: string): readonly NodeResult[] {
  const { order, commands } = session.view;
  return order.flatMap((key) => {
    const entry = commands[key];
    return entry?.command.frame === frame ? toResult(entry) : [];
  });
}

/** A command of any frame by its key, where it has a result. */
export function resultOf({ session }: WithSession, key: string): NodeResult | null {
  const entry = session.view.commands[key];
  return entry === undefined ? null : (toResult(entry)[0] ?? null);
}

/** From the last result of this role on; everything where the role had none. */
export function sinceRole(results: readonly NodeResult[], role: string): readonly NodeResult[] {
  const last = results.findLastIndex(({ command }) => command.type === "dispatch" && command.role === role);
  return last === -1 ? results : results.slice(last);
}

function toResult({ command, result }: WithSession["session"]["view"]["commands"][string]): readonly NodeResult[] {
  if (!result) return [];
  const { outcome, payload, text } = result;
  return [{ key: command.key, command, outcome, payload, text: text ?? "" }];
}
