/** Interrupting events: mailboxes, their handlers, and the next move when none is planned. */
import type { Handler } from "../protocol/machine.ts";
import type { Cause } from "./command.ts";
import { nextForLock } from "./locks.ts";
import type { Frame, Token } from "./state.ts";
import { clear } from "./stop.ts";
import {
  frameOf,
  machineOf,
  newToken,
  ownEntry,
  pushMoves,
  touchedFrames,
  type Move,
  type TokenSpot,
  type Turn,
} from "./turn.ts";
import { below, compositeActivity, compositeName, mainSpot, spotsOf, stateOf } from "./spots.ts";

interface Emission {
  readonly event: string;
  readonly to: "siblings" | "children";
  readonly causes: readonly Cause[];
  /** Items of ended children that the same route reopens. */
  readonly reopened: readonly string[];
}

export function emit(turn: Turn, from: Frame, { event, to, causes, reopened }: Emission): void {
  const mail = { event, causes };
  const parent = to === "children" ? from : from.parent && frameOf(turn, from.parent.frame);
  for (const child of Object.values(parent?.children ?? {}).flat()) {
    const frame = child.frame === null || child.frame === from.id ? undefined : frameOf(turn, child.frame);
    if (!frame) continue;
    deliver(frame, mail);
    // A child that is about to be reopened handles this event first.
    const beginsAgain = to === "children" && reopened.includes(child.item.id);
    if (beginsAgain && frame.outcome !== null) frame.mailbox = [...frame.mailbox, mail];
  }
}

/** Adds mail to the mailbox of a running frame. */
export function deliver(frame: Frame, mail: Frame["mailbox"][number]): void {
  if (frame.outcome === null) frame.mailbox = [...frame.mailbox, mail];
}

/** Stops all activity of the frame and its children, if it handles this event. */
export function interrupt(turn: Turn, frame: Frame, event: string): void {
  if (frame.outcome === null && frame.handler === null && handlerFor(turn, frame, event)) clear(turn, frame);
}

/**
 * The next move when the agenda is empty: grant a lock, handle an event, start a parked token; null ends the step. No frame could move at
 * the end of the step before, so only those can that this step touched, and their parents, which have their locks.
 */
export function nextMove(turn: Turn): Move | null {
  if (turn.draft.ended) return null;
  for (const frame of touchedFrames(turn)) {
    const locked = nextForLock(turn, frame);
    if (locked) return { type: "begin", spot: locked };
    if (frame.outcome !== null || frame.handler) continue;
    if (frame.mailbox.length > 0) {
      if (isQuiet(frame)) return { type: "event", frame };
      continue;
    }
    const parked = hasParked(frame) && spotsOf(frame).find(({ token }) => isParked(token));
    if (parked) return { type: "begin", spot: parked };
  }
  return null;
}

/** Asked of many frames in every step, so it builds no spots. */
function hasParked({ token, handler }: Frame): boolean {
  return isParkedBelow(token) || (handler !== null && isParkedBelow(handler.token));
}

function isParkedBelow(token: Token): boolean {
  const activity = compositeActivity(token);
  return isParked(token) || (activity.type === "regions" && activity.regions.some(isParkedBelow));
}

function isParked({ activity }: Token): boolean {
  return activity.type === "parked";
}

/** Handles the oldest event; drops it if there is no handler. */
export function takeEvent(turn: Turn, frame: Frame): void {
  const [mail, ...rest] = frame.mailbox;
  if (!mail) return;
  frame.mailbox = rest;
  const found = handlerFor(turn, frame, mail.event);
  if (!found) return;
  const { handler, owner } = found;
  const passage = { causes: mail.causes };
  if (handler.type === "route")
    return pushMoves(turn, {
      type: "take",
      spot: mainSpot(frame),
      route: handler.route,
      passage,
      back: null,
    });
  const token = newToken(mail.event);
  frame.handler = { event: mail.event, owner, token };
  const spot: TokenSpot = { frame, outer: [], token, handler: true };
  pushMoves(turn, { type: "enter", spot, state: handler.region.start, passage });
}

/** The handler of a token's current state, innermost first, else the machine's. */
function handlerFor(
  turn: Turn,
  frame: Frame,
  event: string,
): { handler: Handler; owner: readonly string[] } | null {
  const spots = below(mainSpot(frame)).toSorted((a, b) => b.outer.length - a.outer.length);
  for (const spot of spots) {
    const handler = ownEntry(stateOf(turn, spot)?.events ?? {}, event);
    if (handler) return { handler, owner: ownerOf(spot) };
  }
  const handler = ownEntry(machineOf(turn, frame).events, event);
  return handler ? { handler, owner: [] } : null;
}

function ownerOf({ outer, token }: TokenSpot): readonly string[] {
  return [
    ...outer.flatMap((each, index) => [compositeName(each), (outer[index + 1] ?? token).name]),
    token.state,
  ];
}

/** No agent, gate or git operation is open. Asks and children do not count. */
function isQuiet(frame: Frame): boolean {
  return spotsOf(frame).every((spot) => spot.token.activity.type !== "working");
}
