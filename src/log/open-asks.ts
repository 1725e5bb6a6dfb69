import type { AskCommand } from "../kernel/command.ts";
import { baseAsk } from "./base-ask.ts";
import type { RunView } from "./run-view.ts";

/** Commands that wait for a person, oldest first; what a node asks its parent is the parent's matter. */
export function openAsks(view: RunView): readonly AskCommand[] {
  if (view.ended) return [];
  const base = baseAsk(view);
  const asked = view.order.flatMap((key) => {
    const entry = view.commands[key];
    return entry?.command.type === "ask" &&
      isForPerson(entry.command) &&
      !entry.result &&
      !view.cancelled.includes(key)
      ? [entry.command]
      : [];
  });
  return base === null ? asked : [base, ...asked];
}

export function isForPerson({ to }: AskCommand): boolean {
  return to === "person";
}
