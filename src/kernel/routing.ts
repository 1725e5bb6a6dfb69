/** The route of an outcome, the join of several outcomes, and the outcomes that a command may have. */
import type { Machine, Protocol, Route, State } from "../protocol/machine.ts";
import { outcomesOf } from "../protocol/outcomes.ts";
import { routeFor, routeIn, wordOf } from "../protocol/routes.ts";
import { machineOf, type TokenSpot, type Turn } from "./turn.ts";
import { stateOf } from "./spots.ts";

export function routeHere(turn: Turn, spot: TokenSpot, outcome: string): Route | undefined {
  const machine = machineOf(turn, spot.frame);
  const state = stateOf(turn, spot);
  return state ? routeFor(machine, state, outcome) : routeIn(machine.errors, outcome);
}

export function firstFor(state: State, outcome: string): Route | undefined {
  return state.kind === "parallel" || state.kind === "each" ? routeIn(state.first, outcome) : undefined;
}

/** The worst outcome by the order of `join`; an outcome that `join` does not list is the worst. */
export function joined(join: readonly string[], outcomes: readonly string[]): string {
  const rank = (outcome: string): number => {
    const exact = join.indexOf(outcome);
    return exact === -1 ? join.indexOf(wordOf(outcome)) : exact;
  };
  return outcomes.toSorted((a, b) => rank(a) - rank(b))[0] ?? "none";
}

/** Whether a command of this state may have this outcome. An undeclared hint counts as the plain word. */
export function mayAnswer(turn: Turn, spot: TokenSpot, outcome: string): boolean {
  const state = stateOf(turn, spot);
  if (!state) return false;
  const outcomes = outcomesAt(turn.protocol, machineOf(turn, spot.frame), state);
  return outcomes.includes(outcome) || (state.kind !== "ask" && outcomes.includes(wordOf(outcome)));
}

/** The possible outcomes of a state, cached per protocol because every result needs them. */
export function outcomesAt(protocol: Protocol, machine: Machine, state: State): readonly string[] {
  const known = outcomesCache.get(protocol) ?? new WeakMap<State, readonly string[]>();
  outcomesCache.set(protocol, known);
  const outcomes = known.get(state) ?? outcomesOf(protocol, machine, state);
  known.set(state, outcomes);
  return outcomes;
}
const outcomesCache = new WeakMap<Protocol, WeakMap<State, readonly string[]>>();
