/** What a hook answers: by the facts alone where it can. Only a session that has called the referee is held to anything. */
import { readFileSync } from "node:fs";
import { assertNever } from "../lib/assert-never.ts";
import { variable } from "../config/env.ts";
import { isWithinDispatch } from "../channel/around.ts";
import { isHookOfSession } from "../channel/person.ts";
import { findKeyword, keywordHint } from "../families/orchestrate/trigger.ts";
import { pass, startsAgent, textOf, type Answer, type HookCall } from "./call.ts";
import { compacting, contextRefusal } from "./context.ts";
import {
  bindSession,
  boundSession,
  findGitDir,
  findHere,
  rememberTold,
  triggeredIn,
  type Here,
} from "./here.ts";
import { inOrchestrate } from "./in-orchestrate.ts";
import { answerIfLate } from "./late.ts";
import { approvedBy, notOfSession } from "./mettle-commands.ts";
import { readPlan } from "./plan-text.ts";
import { planWords, startWords, stopWords } from "./session-words.ts";
import { isOfRole, judgeSubAgent } from "./sub-agents.ts";
import { judgeWrites } from "./writes.ts";

/** As Claude Code and Gemini name a tool of an MCP server, also of a plugin's: `mcp__plugin_mettle_mettle__next`. */
const refereeTool = /^mcp_.*mettle.*_(?:enter|next|report|handoff)$/u;
const handsOut = /^mcp_.*mettle.*_(?:enter|next)$/u;

export async function answerTo(call: HookCall, cwd: string): Promise<Answer> {
  if (isWithinDispatch()) {
    const { answerWithinDispatch } = await import("./within-dispatch.ts");
    return answerWithinDispatch(call, isIgnored);
  }
  // Where the session's folder moves, its project stays.
  const project = variable("CLAUDE_PROJECT_DIR") ?? call.cwd ?? cwd;
  if (isPersons(call) && !isHookOfSession()) return notOfSession;
  if (call.event === "UserPromptSubmit") return atPrompt(call, project);
  const answer = await inReferee(call, project);
  if (answer.type !== "pass") return answer;
  const other = await inOrchestrate(call, project);
  if (other.type !== "pass" || call.tool !== "ExitPlanMode") return other;
  const { untrackedPlan } = await import("./untracked-plan.ts");
  return untrackedPlan(call, project);
}

/** A person decides by what they type, by their answer to a question, and by leaving plan mode. */
function isPersons({ event, tool, prompt }: HookCall): boolean {
  if (event === "UserPromptSubmit") return approvedBy(prompt) !== null || /[@/]orchestrate\b/u.test(prompt);
  return event === "PostToolUse" && (tool === "AskUserQuestion" || tool === "ExitPlanMode");
}

/** Orchestrate's keyword begins a line, or stands elsewhere and starts nothing (ORC-03). An approval is the whole prompt (ORC-69). */
async function atPrompt(call: HookCall, project: string): Promise<Answer> {
  const gate = approvedBy(call.prompt);
  if (gate !== null) {
    const here = triggeredIn(project, call.session);
    if (here === null) return pass;
    const { atApproval } = await import("./approval.ts");
    return atApproval(here.checkout, gate);
  }
  if (!/[@/]orchestrate\b/u.test(call.prompt) || findGitDir(project) === null) return pass;
  const task = findKeyword(call.prompt);
  if (task === null) return { type: "hint", text: keywordHint };
  const { atKeyword } = await import("./orchestrate.ts");
  return atKeyword(call, project, task);
}

async function inReferee(call: HookCall, project: string): Promise<Answer> {
  const here = findHere(project);
  if (here === null) return pass;
  if (call.event === "SessionStart") return atStart(here, call);
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
      return atStop(here, call, bound.told);
    case "PreCompact":
      compacting(here.home, call);
      return pass;
    case "UserPromptSubmit":
    case "other":
      return pass;
    default:
      return assertNever(call.event);
  }
}

/** After a compaction the session has lost what it was told to do: it hears that again (ORC-79). */
async function atStart(here: Here, call: HookCall): Promise<Answer> {
  const text = startWords(here.facts);
  if (call.source !== "compact" || boundSession(here, call.session) === null) return { type: "tell", text };
  compacting(here.home, call);
  const { briefOf } = await import("./brief.ts");
  return { type: "tell", text: `${text}${await briefOf(here.facts)}` };
}

async function beforeTool({ facts, home }: Here, call: HookCall): Promise<Answer> {
  const dispatches = startsAgent(call) ? isOfRole(call) : handsOut.test(call.tool);
  const full = dispatches ? contextRefusal(home, call) : null;
  if (full !== null) return full;
  if (startsAgent(call)) return judgeSubAgent(facts, call);
  if (call.tool !== "ExitPlanMode")
    return judgeWrites(facts, call, (path) => isIgnored(facts.checkout, path));
  if (facts.mode !== "Ω₁ᴾ") return pass;
  const plan = planOf(call);
  const read = readPlan(plan);
  if (read.type === "design") return pass;
  answerIfLate({ type: "deny", reason: planWords(read.missing, null) });
  const { refusePlan } = await import("./plan-mode.ts");
  return refusePlan(facts, plan, read.missing);
}

async function afterPlan({ facts }: Here, call: HookCall): Promise<Answer> {
  if (facts.mode !== "Ω₁ᴾ") return pass;
  // The person may have changed it while they were asked.
  const read = readPlan(textOf(call.response["plan"]) ?? planOf(call));
  if (read.type === "missing") {
    const text = `Mettle: the approved plan has no ${read.missing.join(", ")}, so it is no design yet; mend it in plan mode`;
    return { type: "tell", text };
  }
  const text =
    "Mettle: the approved plan is still being taken. Call the tool next: it waits for that, and gives the dispatch that follows.";
  answerIfLate({ type: "tell", text });
  const { takePlan } = await import("./take-plan.ts");
  return takePlan(facts.checkout, read.design);
}

function atStop(here: Here, { heldBefore, isWorking, session }: HookCall, told: string | null): Answer {
  const line = here.facts.open?.line ?? null;
  if (line === null || heldBefore || isWorking || told === line) return pass;
  rememberTold(here, session, line);
  return { type: "hold", reason: stopWords(here.facts, line) };
}

/** Newer versions keep the plan in a file and name it. */
function planOf({ input }: HookCall): string {
  const file = textOf(input["planFilePath"]);
  return textOf(input["plan"]) ?? (file === null ? "" : readFileSync(file, "utf8"));
}

async function isIgnored(checkout: string, path: string): Promise<boolean> {
  const { spawnSync } = await import("node:child_process");
  const asked = spawnSync("git", ["check-ignore", "-q", "--", path], {
    cwd: checkout,
    timeout: 700,
    stdio: "ignore",
  });
  return asked.status === 0;
}
