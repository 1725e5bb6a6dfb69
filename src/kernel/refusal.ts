/** Why an event cannot be taken, or null. Late, duplicate, cancelled and unknown results end here (CORE-11). */
import { assertNever } from "../lib/assert-never.ts";
import type { KernelEvent } from "./event.ts";
import { root } from "./frames.ts";
import { mayAnswer } from "./routing.ts";
import { own, type Turn } from "./turn.ts";
import { waitingFor } from "./where.ts";

export function refusal(turn: Turn, event: KernelEvent): string | null {
  const { started, ended } = turn.draft;
  if (event.type === "start") return started ? "the run has started already" : null;
  if (!started) return "the run has not started";
  if (ended && event.type !== "result") return "the run has ended";
  switch (event.type) {
    case "result":
      return refusedResult(turn, event);
    case "signal":
    case "abort": {
      const frame = own(turn.draft.frames, event.frame ?? root);
      if (!frame) return `there is no frame ${event.frame}`;
      return frame.outcome === null ? null : `frame ${frame.id} has ended`;
    }
    default:
      return assertNever(event);
  }
}

function refusedResult(turn: Turn, { key, outcome }: Extract<KernelEvent, { type: "result" }>): string | null {
  const { draft } = turn;
  const command = draft.open.find((each) => each.key === key);
  const spot = command ? waitingFor(draft, key) : null;
  if (!command || !spot) return closed(turn, key);
  return mayAnswer(turn, spot, outcome) ? null : `${outcome} is no answer to ${command.type} ${key}`;
}

function closed({ draft }: Turn, key: string): string {
  const at = key.lastIndexOf("#");
  const n = key.slice(at + 1);
  const issued = own(draft.issued, key.slice(0, at)) ?? 0;
  if (at < 1 || !/^[1-9][0-9]*$/u.test(n) || Number(n) > issued) return `there is no command ${key}`;
  if (draft.cancelled.includes(key)) return `${key} was cancelled`;
  return `${key} waits for no result: it was answered, or needs none`;
}
