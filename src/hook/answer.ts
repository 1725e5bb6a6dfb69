/** Answers a hook call, if possible from the facts file only. Only a session that has called the referee is bound by rules. */
import { readFileSync } from "node:fs";
import { assertNever } from "../lib/assert-never.ts";
import { environment, variable } from "../config/env.ts";
import { isWithinDispatch } from "../channel/environment.ts";
import { isSessionHook } from "../channel/person.ts";
import { findKeyword, keywordHint } from "../families/orchestrate/trigger.ts";
import { pass, startsAgent, textOf, type HookDecision, type HookCall } from "./call.ts";
import { recordCompaction, contextRefusal } from "./context.ts";
import {
  bindSession,
  boundSession,
  findGitDir,
  findRunInHand,
  rememberHeld,
  findOrchestrateSession,
  type RunInHand,
} from "./session-files.ts";
import { answerInOrchestrate } from "./in-orchestrate.ts";
import { setLateAnswer } from "./late-answer.ts";
import { approvalIn, notFromSession } from "./mettle-commands.ts";
import { readPlan } from "./plan-text.ts";
import { planMessage, startMessage, stopMessage } from "./session-messages.ts";
import { isRoleAgent, judgeSubAgent } from "./sub-agents.ts";
import { judgeWrites } from "./writes.ts";

/** Names of MCP tools in Claude Code and Gemini, also from a plugin: `mcp__plugin_mettle_mettle__next`. */
const refereeTool = /^mcp_.*mettle.*_(?:enter|next|report|handoff)$/u;
const dispatchingTool = /^mcp_.*mettle.*_(?:enter|next)$/u;

export async function answerTo(call: HookCall, cwd: string): Promise<HookDecision> {
  if (isWithinDispatch()) {
    const { answerWithinDispatch } = await import("./within-dispatch.ts");
    return answerWithinDispatch(call, isIgnored);
  }
  // The session may change its folder, but not its project.
  const project = variable("CLAUDE_PROJECT_DIR") ?? call.cwd ?? cwd;
  if (isDecisionOfPerson(call) && !isSessionHook()) return notFromSession;
  if (call.event === "UserPromptSubmit") return onPrompt(call, project);
  const answer = await answerInReferee(call, project);
  if (answer.type !== "pass") return answer;
  const other = await answerInOrchestrate(call, project);
  if (other.type !== "pass" || call.tool !== "ExitPlanMode") return other;
  const { untrackedPlan } = await import("./untracked-plan.ts");
  return untrackedPlan(call, project);
}

/** A person decides by an approval or keyword in a prompt, by the answer to a question, and by leaving plan mode. */
function isDecisionOfPerson({ event, tool, prompt }: HookCall): boolean {
  if (event === "UserPromptSubmit") return approvalIn(prompt) !== null || /[@/]orchestrate\b/u.test(prompt);
  return event === "PostToolUse" && (tool === "AskUserQuestion" || tool === "ExitPlanMode");
}

/** Orchestrate's keyword counts only at the beginning of a line (ORC-03), an approval only as the whole prompt (ORC-69). */
async function onPrompt(call: HookCall, project: string): Promise<HookDecision> {
  const gate = approvalIn(call.prompt);
  if (gate !== null) {
    const here = findOrchestrateSession(project, call.session);
    if (here === null) return pass;
    const { onApproval } = await import("./approval.ts");
    return onApproval(here.checkout, gate);
  }
  if (!/[@/]orchestrate\b/u.test(call.prompt) || findGitDir(project) === null) return pass;
  const task = findKeyword(call.prompt);
  if (task === null) return { type: "hint", text: keywordHint };
  const { onKeyword } = await import("./orchestrate.ts");
  return onKeyword(call, project, task);
}

async function answerInReferee(call: HookCall, project: string): Promise<HookDecision> {
  const here = findRunInHand(project);
  if (here === null) return pass;
  if (call.event === "SessionStart") return onStart(here, call);
  if (call.event === "PostToolUse" && refereeTool.test(call.tool)) {
    bindSession(here, call.session);
    return pass;
  }
  const bound = boundSession(here, call.session);
  if (bound === null) return pass;
  switch (call.event) {
    case "PreToolUse":
      return beforeTool(here, call);
    case "PostToolUse":
      return call.tool === "ExitPlanMode" ? afterPlan(here, call) : pass;
    case "Stop":
      return onStop(here, call, bound.told);
    case "PreCompact":
      recordCompaction(here.home, call);
      return pass;
    case "UserPromptSubmit":
    case "other":
      return pass;
    default:
      return assertNever(call.event);
  }
}

/** After a compaction the brief is repeated, since the session has lost it (ORC-79). */
async function onStart(here: RunInHand, call: HookCall): Promise<HookDecision> {
  const text = startMessage(here.facts);
  if (call.source !== "compact" || boundSession(here, call.session) === null) return { type: "tell", text };
  recordCompaction(here.home, call);
  const { briefOf } = await import("./brief.ts");
  return { type: "tell", text: `${text}${await briefOf(here.facts)}` };
}

async function beforeTool({ facts, home }: RunInHand, call: HookCall): Promise<HookDecision> {
  const dispatches = startsAgent(call) ? isRoleAgent(call) : dispatchingTool.test(call.tool);
  const full = dispatches ? contextRefusal(home, call) : null;
  if (full !== null) return full;
  if (startsAgent(call)) return judgeSubAgent(facts, call);
  if (call.tool !== "ExitPlanMode")
    return judgeWrites(facts, call, (path) => isIgnored(facts.checkout, path));
  if (facts.mode !== "Ω₁ᴾ") return pass;
  const plan = planOf(call);
  const read = readPlan(plan);
  if (read.type === "design") return pass;
  setLateAnswer({ type: "deny", reason: planMessage(read.missing, null) });
  const { refusePlan } = await import("./plan-mode.ts");
  return refusePlan(facts, plan, read.missing);
}

async function afterPlan({ facts }: RunInHand, call: HookCall): Promise<HookDecision> {
  if (facts.mode !== "Ω₁ᴾ") return pass;
  // The person may have edited the plan in the dialog.
  const read = readPlan(textOf(call.response["plan"]) ?? planOf(call));
  if (read.type === "missing") {
    const text = `Mettle: the approved plan has no ${read.missing.join(", ")}, so it is not a design yet; complete it in plan mode`;
    return { type: "tell", text };
  }
  const text =
    "Mettle: the approved plan is still being taken. Call the tool next: it waits for that, and gives the dispatch that follows.";
  setLateAnswer({ type: "tell", text });
  const { takePlan } = await import("./take-plan.ts");
  return takePlan(facts.checkout, read.design);
}

function onStop(
  here: RunInHand,
  { wasHeld: heldBefore, hasRunningSubAgent: isWorking, session }: HookCall,
  told: string | null,
): HookDecision {
  const line = here.facts.open?.line ?? null;
  if (line === null || heldBefore || isWorking || told === line) return pass;
  rememberHeld(here, session, line);
  return { type: "hold", reason: stopMessage(here.facts, line) };
}

/** Newer versions of Claude Code pass the path of a plan file. */
function planOf({ input }: HookCall): string {
  const file = textOf(input["planFilePath"]);
  return textOf(input["plan"]) ?? (file === null ? "" : readFileSync(file, "utf8"));
}

async function isIgnored(checkout: string, path: string): Promise<boolean> {
  const { spawnSync } = await import("node:child_process");
  const result = spawnSync("git", ["check-ignore", "-q", "--", path], {
    cwd: checkout,
    env: environment(), // without the URL of the store
    timeout: 700,
    stdio: "ignore",
  });
  return result.status === 0;
}
