/** From which commit QA and DE work in a phase of a cycle, and what their commit is then (TDP-57). */
import { AppError } from "../../lib/errors.ts";
import type { DispatchCommand } from "../../kernel/command.ts";
import type { EventOf } from "../../log/run-event.ts";
import type { RunContext } from "../context.ts";
import { cycleBase, cycleNumber } from "./cycle.ts";

export interface CycleWork {
  readonly kind: EventOf<"commit.made">["kind"];
  /** Where the agent starts, which is its commit's parent too. */
  readonly from: string;
  /** From 1. */
  readonly cycle: number;
}

/** Null outside the cycles, and for a role that writes nothing there. */
export function cycleWork(
  context: Pick<RunContext, "session" | "started">,
  command: DispatchCommand,
): CycleWork | null {
  const cycle = cycleNumber(context, command);
  const kind = kinds[command.phase ?? ""];
  if (cycle === null || kind === undefined) return null;
  const { head } = context.session.view;
  const base = cycleBase(context);
  switch (kind) {
    case "red":
      // An answer to a dispute mends the tests that were accepted in this cycle.
      return { kind, cycle, from: command.reports.includes("TA") ? accepted(head.red) : base };
    case "green":
      return { kind, cycle, from: stubbed(context, accepted(head.red)) };
    default:
      return { kind, cycle, from: accepted(head.branch) };
  }
}

const kinds: Readonly<Record<string, CycleWork["kind"]>> = {
  ℜ: "red",
  ℜᴳ: "green",
  ℜᶠᵗ: "test_refactor",
  ℜᶠⁱ: "impl_refactor",
};

/** In the words of a commit's first line. */
export const subjects: Readonly<Record<CycleWork["kind"], string>> = {
  scaffold: "Lay the scaffold",
  red: "Add failing tests",
  green: "Make the tests pass",
  test_refactor: "Refactor the tests",
  impl_refactor: "Refactor the implementation",
  rebased: "Adapt to what a sibling merged",
  other: "Work",
};

/** `Add failing tests (cycle 2): the task`: the commits of two cycles differ. */
export function subjectOf(of: {
  readonly what: string;
  readonly cycle: number | null;
  readonly task: string;
}): string {
  return `${of.what}${of.cycle === null ? "" : ` (cycle ${of.cycle})`}: ${of.task}`;
}

/** With the stubs that RED needed, where it needed any: they are a commit of their own (TDP-33). */
function stubbed({ session }: Pick<RunContext, "session">, red: string): string {
  const stubs = session.view.commits.findLast(({ kind, parent }) => kind === "other" && parent === red);
  return stubs?.commit ?? red;
}

function accepted(commit: string | null): string {
  if (commit !== null) return commit;
  throw new AppError("internal", "a phase of a cycle began before the one before it was accepted", {
    hint: "this is a fault of Mettle; please report it with the run's log",
  });
}
