/**
 * The refusal of anything that belongs to another mode than the current one, with both modes (RIP-01). If a condition of that
 * mode is missing too, its code comes first and this one second (TDP-75, RIP-07).
 */
import { AppError, type SecondRule } from "../lib/errors.ts";
import { findAgent, modeOf, type Mode } from "../notation/modes.ts";
import { leadsOf } from "../notation/leads.ts";
import type { RunContext } from "../run/context.ts";
import { currentMode } from "../families/cycles/active-state.ts";

export function modeMismatch(requested: Mode, now: Mode): SecondRule {
  return { code: "mode_mismatch", message: `the run is in ${now}, not in ${requested}` };
}

/** Adds the mismatch to the refusal of a status code that only other modes have. */
export function withModeMismatch(
  context: Pick<RunContext, "session" | "protocol">,
  status: string,
  error: unknown,
): unknown {
  if (!(error instanceof AppError) || error.code !== "code_not_allowed") return error;
  const now = currentMode(context);
  const modes = leadsOf(context.protocol, status).flatMap(({ agent }) => {
    const named = findAgent(agent.split(" ")[0] ?? "", "riper");
    return named === null ? [] : [modeOf(named)];
  });
  const [first] = modes;
  if (first === undefined || modes.includes(now)) return error;
  const { code, message, hint, detail } = error;
  return new AppError(code, message, { hint, detail, also: modeMismatch(first, now) });
}
