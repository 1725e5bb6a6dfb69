/** Read-only queries on a run's state. */
import type { Counter, Protocol, StateKind } from "../protocol/machine.ts";
import type { AskCommand, Cause, Command, Count } from "./command.ts";
import { initialCount } from "./counters.ts";
import { root } from "./frames.ts";
import type { Frame, RunState, Trip } from "./state.ts";
import { copyFrame } from "./thaw.ts";
import { machineOf, ownEntry } from "./turn.ts";
import { pathOf, spotsOf } from "./spots.ts";

/** Commands without a result, in the order they were issued. */
export function openCommands(state: RunState): readonly Command[] {
  return state.open;
}

export function waitingAsks(state: RunState): readonly AskCommand[] {
  return state.open.flatMap((command) => (command.type === "ask" ? [command] : []));
}

export function isEnded(state: RunState): boolean {
  return state.ended !== null;
}

export interface TokenPosition {
  readonly frame: string;
  readonly path: string;
  readonly state: string;
  readonly kind: StateKind | null;
  readonly phase: string | null;
  readonly mode: string | null;
}

/** The position of every token, frame by frame, outer tokens before those of their regions. */
export function positions(state: RunState): readonly TokenPosition[] {
  const running = Object.values(state.frames)
    .filter((frame) => frame.outcome === null)
    .map(copyFrame);
  return running.flatMap((frame) =>
    spotsOf(frame)
      .filter((spot) => spot.token.activity.type !== "ended" && spot.token.activity.type !== "queued")
      .map((spot) => {
        const { state: name, kind, phase, mode } = spot.token;
        return { frame: frame.id, path: pathOf(spot), state: name, kind, phase, mode };
      }),
  );
}

export interface ChildEnding {
  readonly outcome: string;
  /** The result that ended it; null if it was aborted. */
  readonly exit: Cause | null;
  /** The counter that ran out, if that led to its end. */
  readonly trip: Trip | null;
}

/** How a frame ended; null while it runs, or after its parent replaced it. */
export function endingOf(state: RunState, id: string): ChildEnding | null {
  const frame = ownEntry(state.frames, id);
  if (!frame || frame.outcome === null) return null;
  const { activity, entry, kind } = frame.token;
  const causes = activity.type === "ended" ? activity.causes : [];
  return {
    outcome: frame.outcome,
    exit: causes.at(-1) ?? null,
    trip: (kind === "end" && entry.trip) || null,
  };
}

/** The counters with `scope: frame`, for display. */
export function countersOf(
  protocol: Protocol,
  state: RunState,
  frame: string = root,
): Readonly<Record<string, Count>> {
  const found = ownEntry(state.frames, frame);
  if (!found) return {};
  const counters = Object.entries(machineOf({ protocol }, found).counters).filter(
    ([, counter]) => counter.scope === "frame",
  );
  return Object.fromEntries(counters.map(([name, counter]) => [name, countOf(found, name, counter)]));
}

function countOf(
  frame: Pick<Frame, "round"> & Pick<RunState["frames"][string], "counters">,
  name: string,
  counter: Counter,
): Count {
  if (name === "r") return { value: frame.round, limit: null };
  return { value: ownEntry(frame.counters, name)?.value ?? initialCount(counter), limit: counter.limit };
}
