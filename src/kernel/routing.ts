/** Which route an outcome takes: the most specific one, the state's own before the machine's. */
import type { Route, Routes, State } from "../protocol/machine.ts";
import { machineOf, own, type Spot, type Turn } from "./turn.ts";
import { stateOf } from "./where.ts";

/** Outcomes that a dispatch may always have. */
const always = ["ME", "TO", "EX", "BL"];

export function routeFor(turn: Turn, spot: Spot, outcome: string): Route | null {
  const state = stateOf(turn, spot);
  const { errors } = machineOf(turn, spot.frame);
  const word = wordOf(outcome);
  const tables: readonly (readonly [Routes | undefined, string])[] = [
    [state?.on, outcome],
    [state?.errors, outcome],
    [state?.on, word],
    [state?.errors, word],
    [errors, outcome],
    [errors, word],
  ];
  for (const [routes, name] of tables) {
    const route = routes && own(routes, name);
    if (route) return route;
  }
  return null;
}

export function firstFor(state: State, outcome: string): Route | null {
  if (state.kind !== "parallel" && state.kind !== "each") return null;
  return own(state.first, outcome) ?? own(state.first, wordOf(outcome)) ?? null;
}

/** The worst outcome of those that ended, by the order of `join`; an outcome that `join` does not name is the worst. */
export function joined(join: readonly string[], outcomes: readonly string[]): string {
  const rank = (outcome: string): number => {
    const exact = join.indexOf(outcome);
    return exact >= 0 ? exact : join.indexOf(wordOf(outcome));
  };
  return outcomes.toSorted((a, b) => rank(a) - rank(b))[0] ?? "none";
}

/** Whether a command of this state may be answered so. */
export function mayAnswer(turn: Turn, spot: Spot, outcome: string): boolean {
  const state = stateOf(turn, spot);
  switch (state?.kind) {
    case "dispatch": {
      const named = [...Object.keys(state.errors), ...Object.keys(machineOf(turn, spot.frame).errors)];
      const words = [...always, ...state.reports, ...named].filter((word) => wordOf(word) !== "abort");
      return words.includes(outcome) || words.includes(wordOf(outcome));
    }
    case "check":
    case "merge":
    case "rebase":
      return (own(turn.protocol.gates, state.gate) ?? []).includes(outcome);
    case "ask":
      return Object.hasOwn(state.on, outcome);
    default:
      return false;
  }
}

export function wordOf(outcome: string): string {
  return outcome.split(".", 1)[0] ?? outcome;
}
