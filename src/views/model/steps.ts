/** The steps of a run in order, one for each command that takes time. Pure. */
import type { Command } from "../../kernel/command.ts";
import type { CommandEntry } from "../../log/commands.ts";
import type { RunView } from "../../log/run-view.ts";
import { firstLine } from "../../lib/text.ts";
import { safeLine } from "../../lib/safe-text.ts";
import type { Place } from "./places.ts";
import type { StepModel } from "./step-model.ts";
import type { VerdictWord } from "./verdict-model.ts";

/** @param verdicts by key of the command that was judged */
export function stepsOf(
  view: RunView,
  places: ReadonlyMap<string, Place>,
  verdicts: ReadonlyMap<string, VerdictWord>,
): readonly StepModel[] {
  const taken = new Map<string, number>();
  const cancelled = new Set(view.cancelled);
  return view.order.flatMap((key): readonly StepModel[] => {
    const entry = view.commands[key];
    const place = places.get(key);
    if (entry === undefined || place === undefined || !takesTime(entry.command)) return [];
    const attempt = (taken.get(entry.command.path) ?? 0) + 1;
    taken.set(entry.command.path, attempt);
    return [
      {
        key,
        kind: entry.command.type,
        phase: place.id,
        node: place.node,
        name: nameOf(entry.command),
        attempt,
        startedAt: view.dispatches[key]?.at ?? entry.at,
        endedAt: entry.result?.at ?? null,
        outcome: entry.result?.outcome ?? null,
        verdict: verdicts.get(key) ?? null,
        state: stateOf(entry, cancelled.has(key)),
      },
    ];
  });
}

type TimedCommand = Extract<Command, { type: "dispatch" | "check" | "ask" | "merge" | "rebase" | "timer" }>;

function takesTime(command: Command): command is TimedCommand {
  return command.type !== "spawn" && command.type !== "cancel" && command.type !== "finish";
}

function nameOf(command: TimedCommand): string {
  switch (command.type) {
    case "dispatch":
      return command.role;
    case "ask":
      return safeLine(firstLine(command.text));
    case "check":
    case "merge":
    case "rebase":
      return command.gate;
    case "timer":
      return command.state;
  }
}

function stateOf({ result }: CommandEntry, isCancelled: boolean): StepModel["state"] {
  if (result !== null) return "done";
  return isCancelled ? "cancelled" : "open";
}
