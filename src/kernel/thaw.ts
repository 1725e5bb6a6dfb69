/** Makes the mutable copy that `step` works on. Immutable parts (commands, passages, causes) are shared. */
import type { Activity, Child, Draft, Frame, BackgroundWork, RunState, Token } from "./state.ts";

export function thaw(state: RunState): Draft {
  return {
    version: state.version,
    started: state.started,
    frames: mapValues(state.frames, copyFrame),
    open: [...state.open],
    cancelled: [...state.cancelled],
    issued: { ...state.issued },
    ended: state.ended,
  };
}

type FrozenFrame = RunState["frames"][string];
type FrozenToken = FrozenFrame["token"];

function copyFrame(frame: FrozenFrame): Frame {
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
