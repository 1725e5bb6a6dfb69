/** Counters: count, trip, reset, display. They belong to the frame, or to the token with `scope: visit`. */
import type { Counter, Route } from "../protocol/machine.ts";
import type { Count } from "./command.ts";
import type { Tally, Trip } from "./state.ts";
import { machineOf, ownEntry, type TokenSpot, type Turn } from "./turn.ts";

export type CountResult =
  | { readonly type: "counted" }
  | { readonly type: "tripped"; readonly trip: Trip; readonly over: Route }
  | { readonly type: "impossible"; readonly reason: string };

interface CountOptions {
  readonly spot: TokenSpot;
  readonly name: string;
  readonly signature: string | undefined;
}

/** Counts one more attempt, or returns the route to take instead. A counter that trips is reset. */
export function count(turn: Turn, { spot, name, signature }: CountOptions): CountResult {
  if (name === "r") {
    spot.frame.round += 1;
    return { type: "counted" };
  }
  const counter = ownEntry(machineOf(turn, spot.frame).counters, name);
  if (!counter) return { type: "impossible", reason: `there is no counter ${name}` };
  const tallies = talliesOf(spot, counter);
  const before = ownEntry(tallies, name);
  const after = counter.same
    ? countRepeat(before, signature)
    : { value: (before?.value ?? counter.from) + 1 };
  const used = counter.same ? after.value : after.value - 1;
  const tripped = counter.limit !== null && used >= counter.limit;
  if (!tripped) {
    tallies[name] = after;
    return { type: "counted" };
  }
  delete tallies[name];
  if (!counter.over) return { type: "impossible", reason: `counter ${name} ran out and leads nowhere` };
  return { type: "tripped", trip: { counter: name, value: used, limit: counter.limit }, over: counter.over };
}

export function reset(turn: Turn, spot: TokenSpot, names: readonly string[]): void {
  for (const name of names) {
    const counter = ownEntry(machineOf(turn, spot.frame).counters, name);
    if (counter) delete talliesOf(spot, counter)[name];
  }
}

/** All counters of the frame for display: the first attempt is 1, and a repeated failure counts from its first time. */
export function countsOf(turn: Turn, spot: TokenSpot): Readonly<Record<string, Count>> {
  const counts: Record<string, Count> = {};
  for (const [name, counter] of Object.entries(machineOf(turn, spot.frame).counters))
    counts[name] =
      name === "r"
        ? { value: spot.frame.round, limit: null }
        : {
            value: ownEntry(talliesOf(spot, counter), name)?.value ?? initialCount(counter),
            limit: counter.limit,
          };
  return counts;
}

/** The displayed value before the first count. */
export function initialCount(counter: Counter): number {
  return counter.same ? 0 : counter.from;
}

function talliesOf(spot: TokenSpot, counter: Counter): Record<string, Tally> {
  return counter.scope === "visit" ? spot.token.visit : spot.frame.counters;
}

/** A failure without a signature equals no other failure. */
function countRepeat(before: Tally | undefined, signature: string | undefined): Tally {
  if (signature === undefined) return { value: 1 };
  return { value: before?.signature === signature ? before.value + 1 : 1, signature };
}
