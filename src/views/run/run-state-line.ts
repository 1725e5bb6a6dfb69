/** Derives the state line of a run from its journal (ORC-88 to 90); `state-line.ts` has the wording and rules. */
import { openAsks } from "../../log/open-asks.ts";
import type { RunView } from "../../log/run-view.ts";
import { isOutdated, type LaterCommit } from "../gate/claims.ts";
import { reviewCounts, stateLine, type ReviewCount } from "./state-line.ts";

export interface StateLineOptions {
  /** The phase of the message; default the current one. */
  readonly phase?: string;
  /** Id of the record whose EXECUTION_BLOCK is in the same message. */
  readonly shown?: string;
  /** A commit on the run's branch that no gate has checked. */
  readonly later?: LaterCommit | null;
}

/** Null if the protocol has no numbered phases. */
export function stateLineOf(
  view: RunView,
  { phase: requested, shown, later = null }: StateLineOptions = {},
): string | null {
  const phase = requested ?? currentPhase(view);
  if (phase === null || !/^\d/u.test(phase)) return null;
  const newest =
    shown === undefined
      ? view.records.findLast((other) => other.phase === phase)
      : view.records.find((other) => other.id === shown);
  // A record counts only for its own tree.
  const record = newest && (isOutdated(view, newest) || isSuperseded(newest, later)) ? undefined : newest;
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

function isSuperseded({ tree }: RunView["records"][number], later: LaterCommit | null): boolean {
  return later !== null && tree !== null && tree !== later.tree;
}

/** The phase of the newest command with a phase, while the run is in that command's mode. */
export function currentPhase({ order, commands }: RunView): string | null {
  const issued = order.map((key) => commands[key]?.command);
  const last = issued.findLast((command) => command?.phase !== undefined);
  const mode = issued.findLast((command) => command?.mode !== undefined)?.mode;
  return last?.mode === mode ? (last?.phase ?? null) : null;
}

const gateOfPhase: Readonly<Record<string, number>> = { "3": 1, "6": 2, "8": 3 };

/** Verdict count of each reviewer at a gate since its last reset. @param gate null for the latest reviewed gate */
export function countsAt(view: RunView, gate: number | null): readonly ReviewCount[] {
  const reviews = sinceReset(view).map((review) => ({ ...review, round: roundOf(view, review) }));
  const at = gate ?? reviews.at(-1)?.gate ?? 1;
  return reviewCounts(reviews, { gate: at, labels: view.started?.reviewers ?? [], limit: limitOf(view, at) });
}

/** The gate's attempt in which a review was requested. */
function roundOf({ commands }: RunView, { key, gate }: RunView["reviews"][number]): number {
  return commands[key]?.command.counters[`gate${gate}`]?.value ?? 1;
}

/** As in the kernel, a person's rejection resets all gates, and an answer to a gate's breaker resets that gate. */
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
