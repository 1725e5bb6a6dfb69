/**
 * The test-driven cycle that a command belongs to (RIPER and DPTR, Ω₅ᵀ): which one of the plan it is, and from which
 * commit it began. Cycles run one after another, so what is accepted is always the run's newest.
 */
import { invariant } from "../../lib/assert-never.ts";
import { PlanPayload, type PlannedCycle } from "../../gates/payloads/plan.ts";
import type { Command } from "../../kernel/command.ts";
import type { Documented } from "../../runtime/documents/planned.ts";
import type { RunContext } from "../../run/context.ts";

export interface Cycle {
  /** From 1. */
  readonly number: number;
  readonly plan: PlannedCycle;
  /** The commit before the cycle's first test. */
  readonly base: string;
  /** Ids of the tests that earlier cycles froze. */
  readonly requiredBefore: readonly string[];
}

export async function cycleOf(context: RunContext, command: Command): Promise<Cycle> {
  const number = cycleNumber(context, command);
  invariant(number, `${command.path} belongs to no cycle`);
  const plan = (await plannedCycles(context))[number - 1];
  invariant(plan, `the plan has no cycle ${number}`);
  const before = context.session.view.cyclesDone.at(-1);
  return {
    number,
    plan,
    base: cycleBase(context),
    requiredBefore: before?.required ?? [],
  };
}

/** Null for a command outside the cycles. */
export function cycleNumber(
  { session }: { readonly session: Pick<RunContext["session"], "state"> },
  { frame }: Command,
): number | null {
  return numberOfItem(session.state.frames[frame]?.parent?.item);
}

/** Of the item that a cycle's frame is made for, `C1`; null for every other item. */
export function numberOfItem(item: string | undefined): number | null {
  const number = /^C([1-9]\d*)$/u.exec(item ?? "")?.[1];
  return number === undefined ? null : Number(number);
}

/** What the newest finished cycle left; before the first one, where the run began. */
export function cycleBase({ session, started }: Pick<RunContext, "session" | "started">): string {
  return session.view.cyclesDone.at(-1)?.commit ?? started.base;
}

/** The cycles of the plan that was handed in last; none before that. */
export function plannedCycles({
  session,
  payloads,
}: Pick<RunContext, "session" | "payloads">): Promise<readonly PlannedCycle[]> {
  return cyclesIn({ documents: session.view.documents, payloads });
}

export async function cyclesIn({ documents, payloads }: Documented): Promise<readonly PlannedCycle[]> {
  const ref = documents["plan"]?.ref;
  return ref === undefined ? [] : PlanPayload.parse(JSON.parse(await payloads.text(ref))).cycles;
}
