/** The commands of a run, their results, and people's answers: part of its read model. Pure. */
import type { Command } from "../kernel/command.ts";
import { byText } from "./by-text.ts";
import type { EventOf, Recorded } from "./run-event.ts";

export interface CommandEntry {
  readonly command: Command;
  /** For a dispatch: the seeds' wire form. */
  readonly line?: string;
  readonly at: string;
  readonly result: {
    readonly outcome: string;
    readonly payload: string | null;
    readonly at: string;
    readonly text: string | null;
  } | null;
}

export interface AskAnswer {
  readonly seq: number;
  readonly key: string;
  readonly outcome: string;
  readonly text: string;
  readonly answeredBy: string;
  readonly who: string;
  /** Who and by which way, as people read it. */
  readonly by: string;
  readonly authenticated: boolean;
  readonly at: string;
}

/** The mutable part of a view during a fold. */
interface Commands {
  readonly commands: Record<string, CommandEntry>;
  readonly order: string[];
  readonly cancelled: string[];
  readonly answers: AskAnswer[];
}

export function addCommand(view: Commands, event: Recorded<EventOf<"command.issued">>): void {
  const command = event.command as Command;
  view.commands[event.key] = {
    command,
    ...(event.line === undefined ? {} : { line: event.line }),
    at: event.at,
    result: null,
  };
  view.order.push(event.key);
  if (command.type === "cancel") view.cancelled.push(command.target);
}

/** Adds a result; only the first result of a command counts. */
export function addResult(view: Commands, event: Recorded<EventOf<"result">>): void {
  const entry = view.commands[event.key];
  if (!entry || entry.result) return;
  view.commands[event.key] = {
    ...entry,
    result: {
      outcome: event.outcome,
      payload: event.payload ?? null,
      at: event.at,
      text: event.text ?? null,
    },
  };
  if (event.by)
    view.answers.push({
      seq: event.seq,
      key: event.key,
      outcome: event.outcome,
      text: event.text ?? "",
      answeredBy: event.by.answeredBy,
      who: event.by.who,
      by: byText(event.by),
      authenticated: event.by.authenticated,
      at: event.at,
    });
}
