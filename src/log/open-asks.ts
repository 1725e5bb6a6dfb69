import type { AskCommand } from "../kernel/command.ts";
import { baseAsk } from "./base-ask.ts";
import type { RunView } from "./run-view.ts";

/** Asks that wait for a person, oldest first; asks of a node to its parent are excluded. */
export function openAsks(view: RunView): readonly AskCommand[] {
  if (view.ended) return [];
  const base = baseAsk(view);
  const asks = view.order.flatMap((key) => {
    const entry = view.commands[key];
    return entry?.command.type === "ask" &&
      isForPerson(entry.command) &&
      !entry.result &&
      !view.cancelled.includes(key)
      ? [entry.command]
      : [];
  });
  return base === null ? asks : [base, ...asks];
}

export function isForPerson({ to }: AskCommand): boolean {
  return to === "person";
}
