/** Delivers a result to the token that waits for it, and an abort to its frame. */
import type { Cause } from "./command.ts";
import type { KernelEvent } from "./event.ts";
import { root } from "./frames.ts";
import { acknowledge } from "./acknowledge.ts";
import { routeHere } from "./routing.ts";
import { mergeCauses } from "./issue.ts";
import type { Passage } from "./state.ts";
import { clear } from "./stop.ts";
import { frameOf, pushMoves, type Turn } from "./turn.ts";
import { mainSpot, waitingFor } from "./spots.ts";

type Result = Extract<KernelEvent, { type: "result" }>;

export function answer(turn: Turn, event: Result): void {
  const { draft } = turn;
  const command = draft.open.find((each) => each.key === event.key);
  const spot = command && waitingFor(frameOf(turn, command.frame), event.key);
  if (!command || !spot) return;
  draft.open = draft.open.filter((each) => each !== command);
  const { token, frame } = spot;
  token.activity = { type: "idle" };
  if (command.type === "ask") acknowledge(frame, command.causes);
  const { key, outcome, payload, items, list } = event;
  const cause: Cause = { key, path: command.path, outcome, ...(payload !== undefined && { payload }) };
  if (items && list !== undefined) frame.lists = { ...frame.lists, [list]: items };
  const unnamed = list === undefined ? items : undefined;
  const passage: Passage = {
    causes: command.type === "ask" ? mergeCauses(token.entry.causes, [cause]) : [cause],
    ...(command.type === "dispatch" ? {} : carried(token.entry)),
    ...(unnamed && { items: unnamed }),
    ...(event.signature !== undefined && { signature: event.signature }),
  };
  pushMoves(turn, { type: "route", spot, outcome, passage });
}

/** The context and thread for the next dispatch travel on until a dispatch takes them. */
function carried({ ctx, thread }: Passage): Pick<Passage, "ctx" | "thread"> {
  return { ...(ctx !== undefined && { ctx }), ...(thread !== undefined && { thread }) };
}

/** Stops all activity of the frame, then takes its machine's route for `abort`. */
export function abort(turn: Turn, event: Extract<KernelEvent, { type: "abort" }>): void {
  const frame = frameOf(turn, event.frame ?? root);
  if (!frame) return;
  clear(turn, frame);
  const spot = mainSpot(frame);
  if (routeHere(turn, spot, "abort"))
    return pushMoves(turn, { type: "route", spot, outcome: "abort", passage: { causes: [] } });
  pushMoves(turn, { type: "end", frame, outcome: "halted", causes: [] });
}
