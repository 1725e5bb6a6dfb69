/** What a person tells the agents when a run goes on: a text reaches the dispatches that are open then, else the next one. Pure. */
import type { Command } from "../kernel/command.ts";
import type { CommandEntry } from "./commands.ts";
import type { EventOf } from "./run-event.ts";

/** The mutable part of a view during a fold. */
interface Texts {
  readonly commands: Readonly<Record<string, CommandEntry>>;
  readonly cancelled: readonly string[];
  readonly added: Record<string, readonly string[]>;
  unheard: readonly string[];
}

export function addText(view: Texts, { text }: EventOf<"run.resumed">): void {
  if (text === undefined) return;
  const open = Object.entries(view.commands).flatMap(([key, { command, result }]) =>
    command.type === "dispatch" && result === null && !view.cancelled.includes(key) ? [key] : [],
  );
  for (const key of open) view.added[key] = [...(view.added[key] ?? []), text];
  if (open.length === 0) view.unheard = [...view.unheard, text];
}

export function takeText(view: Texts, event: EventOf<"command.issued">): void {
  const { type } = event.command as Command;
  if (type !== "dispatch" || view.unheard.length === 0) return;
  view.added[event.key] = view.unheard;
  view.unheard = [];
}
