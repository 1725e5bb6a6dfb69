/** The possible outcomes of each state, for the checker and the explorer. */
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

/** Outcomes of every dispatch besides its reports; `inconclusive` is a failure of the environment. */
const alwaysOfDispatch = ["ME", "TO", "EX", "BL", "inconclusive"];

/** Outcome of any frame in any state, caused by a person or the parent's `each`. */
export const frameOutcome = "abort";
/** Outcome of a parallel without regions and of an `each` without items. */
export const emptyOutcome = "none";
/** Outcome of an `each`: a child asks its parent. */
export const askedOutcome = "asked";
/** Outcome of an ask `to: parent`: the parent re-entered its `each`. */
export const answerOutcome = "answer";

/** Key of a state's route after a handled event; not an outcome. */
export const resumedOutcome = "resumed";

/** The possible answers of an ask. */
export function answersOf({ on }: AskState): readonly string[] {
  return Object.keys(on).filter((answer) => answer !== resumedOutcome);
}

/** The distinct possible outcomes of a state, without `abort`, which is the frame's. */
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

/** For an unknown gate, the outcomes that the state routes, to avoid follow-up problems. */
function gateOutcomes(protocol: Protocol, state: CheckState | MergeState | RebaseState): readonly string[] {
  const outcomes = Object.hasOwn(protocol.gates, state.gate) ? protocol.gates[state.gate] : undefined;
  return outcomes ?? Object.keys(state.on);
}

/** Words named in `errors` (`CF`), and hints of the standard words (`EX.empty`). */
function furtherWords(machine: Machine, state: DispatchState): readonly string[] {
  const own = [...Object.keys(state.on), ...Object.keys(state.errors)];
  const hints = own.filter((key) => alwaysOfDispatch.includes(wordOf(key)));
  const named = [...Object.keys(state.errors), ...Object.keys(machine.errors)].filter((key) =>
    canBeNamed(state, key),
  );
  return [...hints, ...named];
}

/** EN is possible only where it is reported. */
function canBeNamed(state: DispatchState, key: string): boolean {
  const word = wordOf(key);
  if (word === frameOutcome) return false;
  const reported = state.reports.some((report) => wordOf(report) === word);
  return reported ? state.reports.includes(key) : word !== "EN";
}
