/**
 * The test-driven cycle of a command (RIPER and DPTR, Ω₅ᵀ): its number in the plan and its base commit. Cycles run one
 * after another, so the newest accepted work is the base.
 */
import { invariant } from "../../lib/assert-never.ts";
import { PlanPayload, type PlannedCycle } from "../../gates/payloads/plan.ts";
import type { Command } from "../../kernel/command.ts";
import type { DocumentSource } from "../../family/planned.ts";
import type { RunContext } from "../../run/context.ts";

export interface Cycle {
  /** Number, from 1. */
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

/** The number of a cycle's item, `C1`; null for any other item. */
export function numberOfItem(item: string | undefined): number | null {
  const number = /^C([1-9]\d*)$/u.exec(item ?? "")?.[1];
  return number === undefined ? null : Number(number);
}

/** The commit of the newest finished cycle; before the first one, the start of the run. */
export function cycleBase({ session, started }: Pick<RunContext, "session" | "started">): string {
  return session.view.cyclesDone.at(-1)?.commit ?? started.base;
}

/** The cycles of the newest plan; empty without a plan. */
export function plannedCycles({
  session,
  payloads,
}: Pick<RunContext, "session" | "payloads">): Promise<readonly PlannedCycle[]> {
  return cyclesIn({ documents: session.view.documents, payloads });
}

export async function cyclesIn({ documents, payloads }: DocumentSource): Promise<readonly PlannedCycle[]> {
  const ref = documents["plan"]?.ref;
  return ref === undefined ? [] : PlanPayload.parse(JSON.parse(await payloads.text(ref))).cycles;
}
