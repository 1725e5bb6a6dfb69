/** Makes the mutable copies that `step` works on. Immutable parts (commands, passages, causes) are shared. */
import type { Activity, BackgroundWork, Child, Draft, Frame, FrozenFrame, RunState, Token } from "./state.ts";

/** Its frames are still those of the state: a step needs few of them. */
export function thaw(state: RunState): Draft {
  return {
    version: state.version,
    started: state.started,
    frames: { ...state.frames },
    open: [...state.open],
    cancelled: [...state.cancelled],
    issued: { ...state.issued },
    ended: state.ended,
  };
}

/** A frame of a state to look at; undefined for an unknown id. */
export function frameCopy(state: RunState, id: string): Frame | undefined {
  const frame = Object.hasOwn(state.frames, id) ? state.frames[id] : undefined;
  return frame && copyFrame(frame);
}

type FrozenToken = FrozenFrame["token"];

export function copyFrame(frame: FrozenFrame): Frame {
  return {
    id: frame.id,
    machine: frame.machine,
    parent: frame.parent,
    token: copyToken(frame.token),
    handler: frame.handler && { ...frame.handler, token: copyToken(frame.handler.token) },
    counters: { ...frame.counters },
    facts: { ...frame.facts },
    lists: { ...frame.lists },
    unclaimed: frame.unclaimed,
    children: mapValues(frame.children, (children) => children.map((child): Child => ({ ...child }))),
    locks: mapValues(frame.locks, (queue) => [...queue]),
    mailbox: frame.mailbox,
    session: frame.session,
    round: frame.round,
    outcome: frame.outcome,
  };
}

function copyToken(token: FrozenToken): Token {
  return {
    name: token.name,
    state: token.state,
    kind: token.kind,
    phase: token.phase,
    mode: token.mode,
    entry: token.entry,
    visit: { ...token.visit },
    activity: copyActivity(token.activity),
    back: token.back,
    held: token.held && copyHeld(token.held),
  };
}

function copyHeld(held: NonNullable<FrozenToken["held"]>): BackgroundWork {
  return { ...held, activity: copyActivity(held.activity) };
}

function copyActivity(activity: FrozenToken["activity"]): Activity {
  return activity.type === "regions"
    ? { type: "regions", regions: activity.regions.map(copyToken) }
    : activity;
}

/** A plain loop for speed: this runs for every event of a run. */
function mapValues<From, To>(
  record: Readonly<Record<string, From>>,
  map: (value: From) => To,
): Record<string, To> {
  const mapped: Record<string, To> = {};
  for (const key in record) {
    const value = record[key];
    if (value !== undefined) mapped[key] = map(value);
  }
  return mapped;
}
