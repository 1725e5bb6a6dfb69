/**
 * What an agent that follows printed steps claims in its own words is held against the plan, as its final answer is
 * (ENV-31): the tests of the project have run where the plan names their record, and the work is done where the plan shows it.
 */
import type { Claim } from "../../evidence/claims.ts";
import type { DispatchCommand } from "../../kernel/command.ts";
import type { RunContext } from "../../run/context.ts";
import type { Weighed } from "../../runtime/dispatch/finished.ts";
import { planResult } from "./plan-result.ts";
import { planOfRun, workAt } from "./work.ts";

/** These speak of the work, the others of tests as well. */
const ofWork: ReadonlySet<string> = new Set(["Done", "Complete"]);

/** Null in a run of no printed steps. */
export async function claimsAgainstPlan(
  context: RunContext,
  command: DispatchCommand,
  found: readonly Claim[],
): Promise<Weighed | null> {
  if (context.started.steps === undefined) return null;
  const work = await workAt(context, command);
  // What no file shows is what the next gate looks for.
  if (work === null) return { open: found.filter(({ phrase }) => !ofWork.has(phrase)), shown: null };
  const { answer, text, isVerified } = await planResult(await planOfRun(context), work.subject);
  if (isVerified) return { open: [], shown: text };
  const open = answer === null ? found : found.filter(({ phrase }) => !ofWork.has(phrase));
  return { open, shown: text };
}
