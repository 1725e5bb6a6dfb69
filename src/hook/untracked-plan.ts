/**
 * A session set up for riper or dptr leaves plan mode without a run: the person is told before they approve the plan, the
 * session afterwards. Nothing is refused. The settings are loaded on demand.
 */
import { findCheckout } from "../config/find-checkout.ts";
import { pass, type HookDecision, type HookCall } from "./call.ts";
import { boundSession, findRunInHand, findOrchestrateSession } from "./session-files.ts";

export async function untrackedPlan(
  { event, tool, session }: HookCall,
  project: string,
): Promise<HookDecision> {
  if (tool !== "ExitPlanMode" || (event !== "PreToolUse" && event !== "PostToolUse")) return pass;
  const here = findRunInHand(project);
  const isTracked = here !== null && boundSession(here, session) !== null;
  const checkout = findCheckout(project);
  if (isTracked || checkout === null || findOrchestrateSession(project, session) !== null) return pass;
  const { loadSettings } = await import("../config/settings.ts");
  const settings = await loadSettings(checkout.top).catch(() => null); // commands that need them report the fault
  const protocol = settings?.session?.protocol;
  if (protocol === undefined) return pass;
  return event === "PreToolUse"
    ? { type: "hint", text: `Mettle: no run of ${protocol} belongs to this plan. ${howToEnter}` }
    : {
        type: "tell",
        text: `Mettle: no run of ${protocol} belongs to the approved plan, so nothing of it is tracked, judged or proven. ${howToEnter} Ask the person which they want before you write code.`,
      };
}

const howToEnter =
  'To have it led, the session calls Mettle\'s tool enter with {"mode": "O1P", "ctx": "what to build"} and leaves plan mode again; without that it goes on as always.';
