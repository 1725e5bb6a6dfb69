/** The results in a node's frame, oldest first. */
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

/** The result of a command of any frame; null if it has none. */
export function resultOf({ session }: WithSession, key: string): NodeResult | null {
  const entry = session.view.commands[key];
  return entry === undefined ? null : (toResult(entry)[0] ?? null);
}

/** Results from the last one of this role on; all results if the role has none. */
export function sinceRole(results: readonly NodeResult[], role: string): readonly NodeResult[] {
  const last = results.findLastIndex(({ command }) => command.type === "dispatch" && command.role === role);
  return last === -1 ? results : results.slice(last);
}

function toResult({
  command,
  result,
}: WithSession["session"]["view"]["commands"][string]): readonly NodeResult[] {
  if (!result) return [];
  const { outcome, payload, text } = result;
  return [{ key: command.key, command, outcome, payload, text: text ?? "" }];
}
