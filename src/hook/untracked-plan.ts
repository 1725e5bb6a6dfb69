/**
 * A session leaves its plan mode where it was set up for riper or dptr, and no run stands behind the plan: the person hears
 * that when they are asked, the session once it was approved. It is held to nothing. The settings are loaded only then.
 */
import { findCheckout } from "../config/find-checkout.ts";
import { pass, type Answer, type HookCall } from "./call.ts";
import { boundSession, findRunInHand, findOrchestrateSession } from "./session-files.ts";

export async function untrackedPlan({ event, tool, session }: HookCall, project: string): Promise<Answer> {
  if (tool !== "ExitPlanMode" || (event !== "PreToolUse" && event !== "PostToolUse")) return pass;
  const here = findRunInHand(project);
  const isLed = here !== null && boundSession(here, session) !== null;
  const checkout = findCheckout(project);
  if (isLed || checkout === null || findOrchestrateSession(project, session) !== null) return pass;
  const { loadSettings } = await import("../config/settings.ts");
  const settings = await loadSettings(checkout.top).catch(() => null); // told by the commands that need it
  const protocol = settings?.session?.protocol;
  if (protocol === undefined) return pass;
  return event === "PreToolUse"
    ? { type: "hint", text: `Mettle: no run of ${protocol} stands behind this plan. ${howToEnter}` }
    : {
        type: "tell",
        text: `Mettle: no run of ${protocol} stands behind the approved plan, so nothing of it is tracked, judged or proven. ${howToEnter} Ask the person which they want before you write code.`,
      };
}

const howToEnter =
  'To have it led, the session calls Mettle\'s tool enter with {"mode": "O1P", "ctx": "what to build"} and leaves plan mode again; without that it goes on as always.';
