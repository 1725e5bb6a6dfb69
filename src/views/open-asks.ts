import type { AskCommand } from "../kernel/command.ts";
import type { RunView } from "./run-view.ts";

/** Commands that wait for a person, oldest first. */
export function openAsks(view: RunView): readonly AskCommand[] {
  if (view.ended) return [];
  return view.order.flatMap((key) => {
    const entry = view.commands[key];
    return entry?.command.type === "ask" && !entry.result && !view.cancelled.includes(key)
      ? [entry.command]
      : [];
  });
}
