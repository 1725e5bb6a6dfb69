/** The state line of a run as its journal tells it (ORC-88 to 90); the words and rules are in `state-line.ts`. */
import { openAsks } from "./open-asks.ts";
import type { RunView } from "./run-view.ts";
import { isOutdated, type Later } from "./claims.ts";
import { reviewCounts, stateLine } from "./state-line.ts";

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
    reviewers: reviewCounts(sinceReset(view), {
      gate: gateOfPhase[phase.split(" ")[0] ?? ""] ?? null,
      labels: view.started?.reviewers ?? [],
      limit: limitOf(view),
    }),
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

/** The phase of the newest command that has one. */
export function currentPhase(view: RunView): string | null {
  for (const key of [...view.order].reverse()) {
    const phase = view.commands[key]?.command.phase;
    if (phase !== undefined) return phase;
  }
  return null;
}

const gateOfPhase: Readonly<Record<string, number>> = { "3": 1, "6": 2, "8": 3 };

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

function limitOf(view: RunView): number {
  const newest = view.order.map((key) => view.commands[key]?.command).at(-1);
  return newest?.counters["gate1"]?.limit ?? 3;
}
