/** The outcomes that each state can have: what the checker wants routed, and what an explorer may try. */
import { assertNever } from "../lib/assert-never.ts";
import type {
  AskState,
  CheckState,
  DispatchState,
  Machine,
  MergeState,
  Protocol,
  RebaseState,
  State,
} from "./machine.ts";
import { wordOf } from "./routes.ts";

/** What every dispatch can end with beside its reports; the environment's failure is charged to nobody. */
const alwaysOfDispatch = ["ME", "TO", "EX", "BL", "inconclusive"];

/** Of every frame, in whatever state: a person, or the parent's `each`. */
export const frameOutcome = "abort";
/** Of a parallel without regions and of an `each` without items. */
export const emptyOutcome = "none";
/** Of an `each`: a child waits in an ask to its parent. */
export const askedOutcome = "asked";
/** Of an ask `to: parent`: the parent's `each` was entered again. */
export const answerOutcome = "answer";

/** A route of a state, but no outcome: an event was handled while the token stood there, and resumed. */
export const resumedOutcome = "resumed";

/** What a person or a parent may answer. */
export function answersOf({ on }: AskState): readonly string[] {
  return Object.keys(on).filter((answer) => answer !== resumedOutcome);
}

/** Every outcome a state can have, each once; `abort` is the frame's, not the state's. */
export function outcomesOf(protocol: Protocol, machine: Machine, state: State): readonly string[] {
  return [...new Set(listOutcomes(protocol, machine, state))];
}

function listOutcomes(protocol: Protocol, machine: Machine, state: State): readonly string[] {
  switch (state.kind) {
    case "dispatch":
      return [...state.reports, ...alwaysOfDispatch, ...furtherWords(machine, state)];
    case "check":
    case "merge":
    case "rebase":
      return [...gateOutcomes(protocol, state), "inconclusive"];
    case "ask":
      return [...answersOf(state), ...(state.to === "parent" ? [answerOutcome] : [])];
    case "parallel":
      return Object.keys(state.regions).length === 0
        ? [emptyOutcome]
        : [...state.join, ...Object.keys(state.first)];
    case "each":
      return [...state.join, ...Object.keys(state.first), ...(state.min === 0 ? [emptyOutcome] : [])];
    case "end":
      return [];
    default:
      return assertNever(state);
  }
}

/** Of a gate that does not exist, what the state hopes for: the checker names the gate, and nothing that follows from it. */
function gateOutcomes(protocol: Protocol, state: CheckState | MergeState | RebaseState): readonly string[] {
  const outcomes = Object.hasOwn(protocol.gates, state.gate) ? protocol.gates[state.gate] : undefined;
  return outcomes ?? Object.keys(state.on);
}

/** Words that `errors` names (`CF`), and hints of the words that are always there (`EX.empty`). */
function furtherWords(machine: Machine, state: DispatchState): readonly string[] {
  const own = [...Object.keys(state.on), ...Object.keys(state.errors)];
  const hints = own.filter((key) => alwaysOfDispatch.includes(wordOf(key)));
  const named = [...Object.keys(state.errors), ...Object.keys(machine.errors)].filter((key) =>
    canBeNamed(state, key),
  );
  return [...hints, ...named];
}

/** EN only where it is reported: a protocol that never says it does not converge has no such way. */
function canBeNamed(state: DispatchState, key: string): boolean {
  const word = wordOf(key);
  if (word === frameOutcome) return false;
  const reported = state.reports.some((report) => wordOf(report) === word);
  return reported ? state.reports.includes(key) : word !== "EN";
}
