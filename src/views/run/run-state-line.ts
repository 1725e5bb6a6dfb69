/** The state line of a run as its journal tells it (ORC-88 to 90); the words and rules are in `state-line.ts`. */
import { openAsks } from "../../log/open-asks.ts";
import type { RunView } from "../../log/run-view.ts";
import { isOutdated, type Later } from "../gate/claims.ts";
import { reviewCounts, stateLine, type ReviewCount } from "./state-line.ts";

export interface StateLineOptions {
  /** The phase that the message is about; the current one where it is not said. */
  readonly phase?: string;
  /** Id of the record whose EXECUTION_BLOCK stands in the same message. */
  readonly shown?: string;
  /** What the run's branch holds and no gate has seen. */
  readonly later?: Later | null;
}

/** Null where the protocol has no numbered phases. */
export function stateLineOf(
  view: RunView,
  { phase: asked, shown, later = null }: StateLineOptions = {},
): string | null {
  const phase = asked ?? currentPhase(view);
  if (phase === null || !/^\d/u.test(phase)) return null;
  const newest =
    shown === undefined
      ? view.records.findLast((other) => other.phase === phase)
      : view.records.find((other) => other.id === shown);
  // A record counts only for the tree that it was made on.
  const record = newest && (isOutdated(view, newest) || isPassed(newest, later)) ? undefined : newest;
  return stateLine({
    phase,
    reviewers: countsAt(view, gateOfPhase[phase.split(" ")[0] ?? ""] ?? null),
    proof: record ? { exitCode: record.exitCode, shown: shown !== undefined } : null,
    completed:
      record !== undefined &&
      view.phases.findLast((done) => done.phase === phase)?.record === shown &&
      shown !== undefined,
    tripped: openAsks(view).some((ask) => ask.as === "escalated"),
  });
}

function isPassed({ tree }: RunView["records"][number], later: Later | null): boolean {
  return later !== null && tree !== null && tree !== later.tree;
}

/** The phase of the newest command that has one, while the run is in the mode which that belongs to. */
export function currentPhase({ order, commands }: RunView): string | null {
  const issued = order.map((key) => commands[key]?.command);
  const last = issued.findLast((command) => command?.phase !== undefined);
  const mode = issued.findLast((command) => command?.mode !== undefined)?.mode;
  return last?.mode === mode ? (last?.phase ?? null) : null;
}

const gateOfPhase: Readonly<Record<string, number>> = { "3": 1, "6": 2, "8": 3 };

/** How often each reviewer has judged at a gate since it began anew. @param gate null: the latest one that was judged */
export function countsAt(view: RunView, gate: number | null): readonly ReviewCount[] {
  const reviews = sinceReset(view).map((review) => ({ ...review, round: roundOf(view, review) }));
  const at = gate ?? reviews.at(-1)?.gate ?? 1;
  return reviewCounts(reviews, { gate: at, labels: view.started?.reviewers ?? [], limit: limitOf(view, at) });
}

/** The try of its gate that a review was asked for in. */
function roundOf({ commands }: RunView, { key, gate }: RunView["reviews"][number]): number {
  return commands[key]?.command.counters[`gate${gate}`]?.value ?? 1;
}

/** A person's rejection starts the gates anew, and a person's way out of a gate's breaker that gate, as the kernel does. */
function sinceReset({ answers, commands, reviews }: RunView): RunView["reviews"] {
  const last = (isReset: (answer: RunView["answers"][number]) => boolean): number =>
    answers.findLast(isReset)?.seq ?? 0;
  const rejected = last(({ outcome }) => outcome === "reject");
  const loopedAt = (gate: number): number =>
    last(({ key }) => {
      const command = commands[key]?.command;
      return command?.type === "ask" && command.trip?.counter === `gate${gate}`;
    });
  return reviews.filter(({ seq, gate }) => seq > rejected && seq > loopedAt(gate));
}

function limitOf(view: RunView, gate: number): number {
  const limits = view.order.map((key) => view.commands[key]?.command.counters[`gate${gate}`]?.limit);
  return limits.findLast((limit) => limit != null) ?? 3;
}
