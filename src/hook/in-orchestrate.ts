/**
 * Answers hook calls of sessions in which the person typed Orchestrate's keyword, and refuses to start it without the keyword.
 * Parts that need the store are loaded on demand.
 */
import { startsAgent, pass, type HookDecision, type HookCall } from "./call.ts";
import { recordCompaction, contextRefusal } from "./context.ts";
import { findOrchestrateSession, type OrchestrateSession } from "./session-files.ts";
import { setLateAnswer } from "./late-answer.ts";
import {
  answersForPerson,
  drivesRun,
  notThePerson,
  notTriggered,
  startsOrchestrate,
} from "./mettle-commands.ts";
import { writtenPaths } from "./writes.ts";

export async function answerInOrchestrate(call: HookCall, project: string): Promise<HookDecision> {
  if (call.event === "other" || call.event === "UserPromptSubmit") return pass;
  if (call.event === "PostToolUse" && !isPlanModeTool(call)) return pass;
  if (call.event === "PreToolUse" && answersForPerson(call)) return notThePerson;
  const here = findOrchestrateSession(project, call.session);
  if (here === null) return call.event === "PreToolUse" && startsOrchestrate(call) ? notTriggered : pass;
  switch (call.event) {
    case "PreToolUse":
      return beforeTool(call, here);
    case "PostToolUse": {
      const text =
        "Mettle could not take that in time. Call mettle status: what the run still asks, ask again.";
      setLateAnswer({ type: "tell", text });
      const { afterQuestion, afterExitPlanMode } = await import("./orchestrate-phases.ts");
      return call.tool === "AskUserQuestion"
        ? afterQuestion(call, here.checkout)
        : afterExitPlanMode(here.checkout);
    }
    case "PreCompact":
      recordCompaction(here.home, call);
      return pass;
    case "SessionStart": {
      if (call.source !== "compact") return pass;
      recordCompaction(here.home, call);
      const { repeatBrief } = await import("./orchestrate.ts");
      return repeatBrief(here.checkout);
    }
    case "Stop": {
      if (call.lastMessage === null) return pass;
      const { onHeldStop, onStop } = await import("./orchestrate.ts");
      return call.wasHeld ? onHeldStop(here.checkout) : onStop(call, here.checkout);
    }
  }
}

async function beforeTool(call: HookCall, { checkout, home }: OrchestrateSession): Promise<HookDecision> {
  if (call.tool === "AskUserQuestion") return pass;
  if (call.tool === "ExitPlanMode") {
    const { beforeExitPlanMode } = await import("./orchestrate-phases.ts");
    return beforeExitPlanMode(checkout);
  }
  const full = drivesRun(call) ? contextRefusal(home, call) : null;
  if (full !== null) return full;
  if (!startsAgent(call) && writtenPaths(checkout, call).length === 0) return pass;
  const { judgeDuringRun } = await import("./orchestrate.ts");
  return judgeDuringRun(call, checkout);
}

function isPlanModeTool({ tool }: HookCall): boolean {
  return tool === "ExitPlanMode" || tool === "AskUserQuestion";
}
