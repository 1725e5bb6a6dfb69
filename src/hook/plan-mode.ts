/**
 * Ω₁ᴾ in a session's plan mode (TDP-06): checks the plan before the person sees it, and reports it after their approval.
 * Loaded on demand, since it opens the store.
 */
import { AppError } from "../lib/errors.ts";
import { currentProcess } from "../config/owner.ts";
import { withHost } from "../run/host.ts";
import { refereeOf } from "../referee/referee.ts";
import { withRun } from "../referee/with-run.ts";
import type { HookDecision } from "./call.ts";
import type { Design } from "./plan-text.ts";
import { planMessage } from "./session-messages.ts";

/** Stores an incomplete plan, and refuses it with the missing headings. */
export async function refusePlan(
  { checkout, run }: { readonly checkout: string; readonly run: string },
  plan: string,
  missing: readonly string[],
): Promise<HookDecision> {
  const names = missing.map((name) => `"${name}"`).join(", ");
  const ref = await withHost(checkout, (host) =>
    withRun(host, run, async ({ session, payloads }) => {
      const kept = await payloads.put(plan);
      const message = `the plan of the session has no ${names}; \`mettle show ${kept}\` prints its text`;
      await session.record([{ type: "warned", code: "plan_refused", message }]);
      return kept;
    }),
  );
  return { type: "deny", reason: planMessage(missing, ref) };
}

/** Reports Ω₁ᴾ with the approved design, which writes σ₂ and leads to Ω₂ᴬ. @returns the message for the session */
export async function reportPlan(checkout: string, design: Design): Promise<string> {
  return withHost(checkout, async (host) => {
    const referee = refereeOf(host, currentProcess());
    try {
      const report = {
        status: "PC",
        message: "designed in plan mode, approved by the person",
        payload: design,
      };
      await reportDesign(referee, report);
      const { line } = await referee.status();
      return `Mettle: the approved plan is σ₂ now. The next dispatch is ${line ?? "not open yet"}: call the tool next and follow its prompt. No code is written yet.`;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return `Mettle: the plan was not taken: error[${error.code}]: ${error.message}. ${error.hint}`;
    }
  });
}

/** Takes the open dispatch first, if no session has taken it. */
async function reportDesign(
  referee: ReturnType<typeof refereeOf>,
  report: Parameters<ReturnType<typeof refereeOf>["report"]>[0],
): Promise<void> {
  try {
    await referee.report(report);
  } catch (error) {
    if (!(error instanceof AppError) || (error.code !== "no_dispatch" && error.code !== "already_reported"))
      throw error;
    const step = await referee.next();
    if (step.type !== "dispatch" || step.mode !== "Ω₁ᴾ") throw error;
    await referee.report(report);
  }
}
