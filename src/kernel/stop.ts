/** Stops the activity of a token or a frame: cancels its commands and drops its regions and children. */
import type { Activity, Frame } from "./state.ts";
import { cancel } from "./issue.ts";
import { frameOf, ownEntry, removeFrame, type TokenSpot, type Turn } from "./turn.ts";
import { findState, mainSpot } from "./spots.ts";

/** Stops all activity of the token. Children of an `each` with `keep` continue. */
export function vacate(turn: Turn, spot: TokenSpot): void {
  const { token } = spot;
  stopActivity(turn, spot, token.state, token.activity);
  if (token.held) stopActivity(turn, spot, token.held.state, token.held.activity);
  token.activity = { type: "idle" };
  token.held = null;
}

function stopActivity(turn: Turn, spot: TokenSpot, name: string, activity: Activity): void {
  switch (activity.type) {
    case "working":
    case "asking":
      return cancel(turn, spot, activity.key);
    case "regions":
      for (const token of activity.regions) {
        vacate(turn, { ...spot, outer: [...spot.outer, spot.token], token });
        turn.stopped.add(token);
      }
      return;
    case "children": {
      const state = findState(turn, spot, name)?.state;
      if (state?.kind !== "each" || !state.keep) dropChildren(turn, spot.frame, activity.each);
      return;
    }
    default:
      return;
  }
}

export function dropHandler(turn: Turn, frame: Frame): void {
  if (!frame.handler) return;
  const { token } = frame.handler;
  vacate(turn, { frame, outer: [], token, handler: true });
  turn.stopped.add(token);
  frame.handler = null;
}

/** Stops the children of one `each`, with or without `keep`. */
export function dropChildren(turn: Turn, frame: Frame, each: string): void {
  for (const child of ownEntry(frame.children, each) ?? [])
    if (child.frame !== null) dropFrame(turn, child.frame);
  delete frame.children[each];
}

/** Stops the activity of a frame that ends. Ended children are kept in case the frame is reopened. */
export function stopFrame(turn: Turn, frame: Frame): void {
  vacate(turn, mainSpot(frame));
  dropHandler(turn, frame);
  for (const [each, children] of Object.entries(frame.children)) {
    for (const child of children)
      if (child.outcome === null && child.frame !== null) dropFrame(turn, child.frame);
    frame.children[each] = children.filter((child) => child.outcome !== null);
  }
  frame.mailbox = [];
}

/** Stops all activity of a frame and drops its children. */
export function clear(turn: Turn, frame: Frame): void {
  vacate(turn, mainSpot(frame));
  dropHandler(turn, frame);
  for (const each of Object.keys(frame.children)) dropChildren(turn, frame, each);
  frame.mailbox = [];
}

export function dropFrame(turn: Turn, id: string): void {
  const frame = frameOf(turn, id);
  if (!frame) return;
  clear(turn, frame);
  turn.stopped.add(frame.token);
  removeFrame(turn, id);
}
