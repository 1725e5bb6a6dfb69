/** Invariants of every reachable state and path, for the explorer and the tests. */
import type { Protocol } from "../protocol/machine.ts";
import type { DispatchCommand } from "../kernel/command.ts";
import type { Monitor } from "./explore.ts";
import type { Frame, RunState, Token } from "../kernel/state.ts";
import { copyFrame } from "../kernel/thaw.ts";
import { machineOf, ownEntry, type TokenSpot } from "../kernel/turn.ts";
import { spotsOf } from "../kernel/spots.ts";

/** All faults of a state; none if the kernel and the protocol are sound. */
export function faultsOf(protocol: Protocol, state: RunState): readonly string[] {
  if (!state.started) return [];
  const frames = Object.values(state.frames).map(copyFrame);
  return [
    ...endFaults(state),
    ...frames.flatMap((frame) => frameFaults(protocol, state, frame)),
    ...openFaults(state, frames),
  ];
}

function endFaults({ ended, open }: RunState): readonly string[] {
  if (!ended) return open.length === 0 ? ["stuck: no command, no wait and no end"] : [];
  return [
    ...(open.length > 0 ? [`ended with ${open.length} open commands`] : []),
    ...(ended.reason.includes("no route") || ended.reason.includes("goes round") ? [ended.reason] : []),
  ];
}

/** Open commands and waiting tokens correspond one to one. */
function openFaults({ open }: RunState, frames: readonly Frame[]): readonly string[] {
  const waiting = frames
    .flatMap(spotsOf)
    .flatMap(({ token: { activity } }) =>
      activity.type === "working" || activity.type === "asking" ? [activity.key] : [],
    );
  const keys = open.map((command) => command.key);
  return waiting.toSorted().join() === keys.toSorted().join()
    ? []
    : [`open are ${keys.join()}, waited for are ${waiting.join()}`];
}

function frameFaults(protocol: Protocol, state: RunState, frame: Frame): readonly string[] {
  const spots = frame.outcome === null ? spotsOf(frame) : [];
  return [...counterFaults(protocol, frame), ...spots.flatMap((spot) => spotFaults(state, spot))];
}

function counterFaults(protocol: Protocol, frame: Frame): readonly string[] {
  const { counters } = machineOf({ protocol }, frame);
  const tallies = [frame.counters, ...spotsOf(frame).map((spot) => spot.token.visit)].flatMap((each) =>
    Object.entries(each),
  );
  return tallies.flatMap(([name, { value }]) => {
    const limit = ownEntry(counters, name)?.limit ?? null;
    return limit !== null && value > limit ? [`counter ${name} of ${frame.id} is ${value} of ${limit}`] : [];
  });
}

function spotFaults(state: RunState, { frame, token, handler }: TokenSpot): readonly string[] {
  const fault = stuckReason(frame, token, handler);
  const waitsForever =
    token.activity.type === "children" && !token.held && !childrenRun(state, frame, token.activity.each);
  return [
    ...(fault === null ? [] : [`${frame.id} ${token.state}: ${fault}`]),
    ...(waitsForever ? [`${token.state} waits for no child`] : []),
  ];
}

/** Why a token can never move again, or null. */
function stuckReason(frame: Frame, token: Token, inHandler: boolean): string | null {
  const { activity } = token;
  switch (activity.type) {
    case "idle":
      return "idle";
    case "parked":
      return inHandler || (frame.mailbox.length === 0 && !frame.handler) ? "parked for nothing" : null;
    case "regions": {
      const noneRuns = activity.regions.every(
        (region) => region.activity.type === "ended" || region.activity.type === "queued",
      );
      return noneRuns ? "a parallel that waits for nothing" : null;
    }
    default:
      return null;
  }
}

function childrenRun(state: RunState, frame: Frame, each: string): boolean {
  return (ownEntry(frame.children, each) ?? []).some(
    (child) => child.frame !== null && ownEntry(state.frames, child.frame)?.outcome === null,
  );
}

/**
 * A run completes only after a check passed since the last dispatch that may write. `counts` excludes work that reaches
 * the run only through a merge.
 */
export function provenComplete(protocol: Protocol, counts: (work: Writer) => boolean = () => true): Monitor {
  return {
    start: "unproven",
    next: (before, { command, outcome, step }) => {
      const passed = command?.type === "check" && outcome.split(".")[0] === "pass";
      const writes = writersIn(protocol, step.state).some((work) => work.writes !== "none" && counts(work));
      const memory = writes ? "unproven" : passed ? "proven" : before;
      const isUnproven = step.state.ended?.outcome === "complete" && memory !== "proven";
      return isUnproven
        ? { memory, fault: "complete without a check that passed after the last work" }
        : { memory };
    },
  };
}

/** Reports two dispatches that are open at once although `forbids` excludes it. */
export function notTogether(protocol: Protocol, forbids: (one: Writer, other: Writer) => boolean): Monitor {
  return {
    start: "",
    next: (memory, { step }) => {
      const writers = writersIn(protocol, step.state);
      for (const [index, one] of writers.entries())
        for (const other of writers.slice(index + 1))
          if (forbids(one, other))
            return { memory, fault: `${one.command.path} and ${other.command.path} work at once` };
      return { memory };
    },
  };
}

export interface Writer {
  readonly command: DispatchCommand;
  /** What its agent may change, as in the protocol's `writes`. */
  readonly writes: string;
}

function writersIn(protocol: Protocol, { open }: RunState): readonly Writer[] {
  return open.flatMap((command) => {
    if (command.type !== "dispatch") return [];
    return [{ command, writes: command.writes ?? ownEntry(protocol.roles, command.role)?.writes ?? "none" }];
  });
}
