/** What a run commanded, how each command ended, and what people answered: part of its read model. Pure. */
import type { Command } from "../kernel/command.ts";
import type { EventOf, Recorded } from "./run-event.ts";

export interface CommandEntry {
  readonly command: Command;
  /** Of a dispatch, in the seeds' wire form. */
  readonly line?: string;
  readonly at: string;
  readonly result: {
    readonly outcome: string;
    readonly payload: string | null;
    readonly at: string;
    readonly text: string | null;
  } | null;
}

export interface Answer {
  readonly seq: number;
  readonly key: string;
  readonly outcome: string;
  readonly text: string;
  readonly answeredBy: string;
  readonly authenticated: boolean;
  readonly at: string;
}

/** Of a view that is being folded. */
interface Commands {
  readonly commands: Record<string, CommandEntry>;
  readonly order: string[];
  readonly cancelled: string[];
  readonly answers: Answer[];
}

export function issue(view: Commands, event: Recorded<EventOf<"command.issued">>): void {
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

/** The first result of a command counts. */
export function settle(view: Commands, event: Recorded<EventOf<"result">>): void {
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
      authenticated: event.by.authenticated,
      at: event.at,
    });
}
