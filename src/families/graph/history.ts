/** The results in a node's frame, oldest first. */
import type { Command } from "../../kernel/command.ts";
import type { CommandEntry } from "../../log/commands.ts";
import { groupBy } from "../../lib/lists.ts";
import type { RunView } from "../../log/run-view.ts";
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
  return (entriesByFrame(session.view).get(frame) ?? []).flatMap(toResult);
}

/** The commands of each frame, oldest first. A view never changes, so they are sorted once for all nodes that ask. */
export function entriesByFrame(view: RunView): ReadonlyMap<string, readonly CommandEntry[]> {
  const known = sorted.get(view);
  if (known !== undefined) return known;
  const found = groupBy(
    view.order.flatMap((key) => view.commands[key] ?? []),
    ({ command }) => command.frame,
  );
  sorted.set(view, found);
  return found;
}

const sorted = new WeakMap<RunView, ReadonlyMap<string, readonly CommandEntry[]>>();

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

function toResult({ command, result }: CommandEntry): readonly NodeResult[] {
  if (!result) return [];
  const { outcome, payload, text } = result;
  return [{ key: command.key, command, outcome, payload, text: text ?? "" }];
}
