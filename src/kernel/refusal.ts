/** Why an event is refused, or null. Catches late, duplicate, cancelled and unknown results (CORE-11). */
import { assertNever } from "../lib/assert-never.ts";
import type { KernelEvent } from "./event.ts";
import { root } from "./frames.ts";
import { mayAnswer } from "./routing.ts";
import type { RunState } from "./state.ts";
import { frameOf, ownEntry, type Turn } from "./turn.ts";
import { waitingFor } from "./spots.ts";

type Result = Extract<KernelEvent, { type: "result" }>;

export function refusal(state: RunState, event: KernelEvent): string | null {
  const { started, ended } = state;
  if (event.type === "start") return started ? "the run has started already" : null;
  if (!started) return "the run has not started";
  switch (event.type) {
    case "result":
      return state.open.some((command) => command.key === event.key) ? null : closedReason(state, event.key);
    case "signal":
    case "abort": {
      if (ended) return "the run has ended";
      const frame = ownEntry(state.frames, event.frame ?? root);
      if (!frame) return `there is no frame ${event.frame}`;
      return frame.outcome === null ? null : `frame ${frame.id} has ended`;
    }
    default:
      return assertNever(event);
  }
}

/** Why the outcome of an open command's result is refused, or null. */
export function outcomeRefusal(turn: Turn, { key, outcome }: Result): string | null {
  const command = turn.draft.open.find((open) => open.key === key);
  const spot = command && waitingFor(frameOf(turn, command.frame), key);
  return spot && mayAnswer(turn, spot, outcome) ? null : `${outcome} is no answer to ${key}`;
}

function closedReason(state: RunState, key: string): string {
  const at = key.lastIndexOf("#");
  const n = key.slice(at + 1);
  const path = key.slice(0, Math.max(at, 0));
  const issued = Object.values(state.issued).flatMap((paths) => ownEntry(paths, path) ?? [])[0] ?? 0;
  if (!/^[1-9][0-9]*$/u.test(n) || Number(n) > issued) return `there is no command ${key}`;
  if (state.cancelled.includes(key)) return `${key} was cancelled`;
  return `${key} waits for no result: it was answered, or needs none`;
}
