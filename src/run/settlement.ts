/** The settlement of a finished command, and its events. Pure. */
import type { Command } from "../kernel/command.ts";
import type { EventOf, RunEvent } from "../log/run-event.ts";
import type { RunView } from "../log/run-view.ts";
import type { RecordDraft } from "../proof/draft.ts";

/** An outcome for the kernel, with the facts to journal and the proofs to seal. */
export interface Settlement {
  readonly outcome: string;
  readonly payload?: string;
  readonly signature?: string;
  readonly items?: EventOf<"result">["items"];
  readonly list?: EventOf<"result">["list"];
  readonly envelope?: EventOf<"result">["envelope"];
  readonly by?: EventOf<"result">["by"];
  readonly text?: string;
  readonly channel?: EventOf<"result">["channel"];
  readonly facts?: readonly RunEvent[];
  /** Proofs in order of execution; the last one proves the phase. */
  readonly drafts?: readonly RecordDraft[];
  /** Id of an earlier record that proves the phase, if there is no new one. */
  readonly proof?: string;
}

export function toKernel(event: RunEvent, seq: number) {
  const stamp = String(seq);
  switch (event.type) {
    case "run.started":
      return { type: "start" as const, stamp };
    case "run.aborted":
      return { type: "abort" as const, stamp };
    case "node.aborted":
      return { type: "abort" as const, frame: event.frame, stamp };
    case "signal": {
      const { interrupts, items, list } = event;
      return { type: "signal" as const, event: event.event, interrupts, items, list, stamp };
    }
    case "result": {
      const { key, outcome, payload, signature, items, list } = event;
      return {
        type: "result" as const,
        key,
        outcome,
        payload,
        signature,
        items,
        list,
        stamp: event.stamp ?? stamp,
      };
    }
    default:
      return null;
  }
}

export function resultEvent(key: string, settlement: Settlement): EventOf<"result"> {
  const { outcome, payload, signature, items, list, envelope, by, text, channel } = settlement;
  return { type: "result", key, outcome, payload, signature, items, list, envelope, by, text, channel };
}

/** @param line a dispatch in the seeds' wire form, or null */
export function issuedEvent(command: Command, line: string | null = null): RunEvent {
  return { type: "command.issued", key: command.key, command, ...(line === null ? {} : { line }) };
}

/** @param last the result that ended the run, if any; its dispatch in wire form becomes the reason */
export function endEvents(
  commands: readonly Command[],
  view: RunView,
  last: { readonly key: string; readonly settlement: Settlement } | null = null,
): readonly RunEvent[] {
  const finish = commands.find((command) => command.type === "finish");
  if (finish?.type !== "finish" || view.ended) return [];
  const { outcome } = finish;
  const reason = view.aborted ?? (outcome === "complete" ? "proven" : reasonOf(view, outcome, last));
  return [{ type: "run.ended", outcome, reason }];
}

function reasonOf(
  { commands }: RunView,
  ended: string,
  last: { readonly key: string; readonly settlement: Settlement } | null,
): string {
  const line = commands[last?.key ?? ""]?.line;
  if (last === null || line === undefined) return `the protocol ended ${ended}`;
  const { outcome, text = "" } = last.settlement;
  return `${line} →${outcome}${text === "" ? "" : `: ${text}`}`;
}

export function toNewEvent(event: RunEvent): { readonly type: string; readonly data: unknown } {
  const { type, ...data } = event;
  return { type, data };
}
