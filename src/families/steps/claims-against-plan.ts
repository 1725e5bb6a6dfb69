/**
 * Checks the claims of an agent that follows printed steps against the plan, like its final answer (ENV-31): tests have
 * run if the plan names their record, and work is done if the plan shows it.
 */
import type { Claim } from "../../evidence/claims.ts";
import type { DispatchCommand } from "../../kernel/command.ts";
import type { RunContext } from "../../run/context.ts";
import type { ClaimCheck } from "../../family/agent-result.ts";
import { planResult } from "./plan-result.ts";
import { planOfRun, workAt } from "./work.ts";

/** Claims about the work; all others are about tests as well. */
const ofWork: ReadonlySet<string> = new Set(["Done", "Complete"]);

/** Null in a run without printed steps. */
export async function claimsAgainstPlan(
  context: RunContext,
  command: DispatchCommand,
  found: readonly Claim[],
): Promise<ClaimCheck | null> {
  if (context.started.steps === undefined) return null;
  const work = await workAt(context, command);
  // Without a subject in the plan, the next gate checks the work.
  if (work === null) return { open: found.filter(({ phrase }) => !ofWork.has(phrase)), shown: null };
  const { answer, text, isVerified } = await planResult(await planOfRun(context), work.subject);
  if (isVerified) return { open: [], shown: text };
  const open = answer === null ? found : found.filter(({ phrase }) => !ofWork.has(phrase));
  return { open, shown: text };
}
