/** What happened in a node: the results of its frame, oldest first. */
import type { Command } from "../../kernel/command.ts";
import type { RunContext } from "../../run/context.ts";

export interface Happened {
  readonly key: string;
  readonly command: Command;
  readonly outcome: string;
  readonly payload: string | null;
  readonly text: string;
}

type Past = Pick<RunContext, "session">;

export function resultsOf({ session }: Past, frame: string): readonly Happened[] {
  const { order, commands } = session.view;
  return order.flatMap((key) => {
    const entry = commands[key];
    return entry?.command.frame === frame ? happened(entry) : [];
  });
}

/** A command of any frame by its key, where it has a result. */
export function resultOf({ session }: Past, key: string): Happened | null {
  const entry = session.view.commands[key];
  return entry === undefined ? null : (happened(entry)[0] ?? null);
}

/** From the last result of this role on; everything where the role had none. */
export function sinceRole(results: readonly Happened[], role: string): readonly Happened[] {
  const last = results.findLastIndex(({ command }) => command.type === "dispatch" && command.role === role);
  return last === -1 ? results : results.slice(last);
}

function happened({ command, result }: Past["session"]["view"]["commands"][string]): readonly Happened[] {
  if (!result) return [];
  const { outcome, payload, text } = result;
  return [{ key: command.key, command, outcome, payload, text: text ?? "" }];
}
