/** What a hook answers: by the facts alone where it can. Only a session that has called the referee is held to anything. */
import { readFileSync } from "node:fs";
import { assertNever } from "../lib/assert-never.ts";
import { variable } from "../config/env.ts";
import { findKeyword, keywordHint } from "../runtime/trigger.ts";
import { pass, startsAgent, textOf, type Answer, type HookCall } from "./call.ts";
import {
  bindSession,
  boundSession,
  findGitDir,
  findHere,
  rememberTold,
  triggeredIn,
  type Here,
} from "./here.ts";
import {
  answersForPerson,
  approvedBy,
  notThePerson,
  notTriggered,
  startsOrchestrate,
} from "./mettle-commands.ts";
import { readPlan } from "./plan-text.ts";
import { startWords, stopWords } from "./session-words.ts";
import { judgeSubAgent } from "./sub-agents.ts";
import { judgeWrites, writtenPaths } from "./writes.ts";

/** As Claude Code and Gemini name a tool of an MCP server, also of a plugin's: `mcp__plugin_mettle_mettle__next`. */
const refereeTool = /^mcp_.*mettle.*_(?:enter|next|report|handoff)$/u;

export async function answerTo(call: HookCall, cwd: string): Promise<Answer> {
  // Where the session's folder moves, its project stays.
  const project = variable("CLAUDE_PROJECT_DIR") ?? call.cwd ?? cwd;
  if (call.event === "UserPromptSubmit") return atPrompt(call, project);
  const answer = await inReferee(call, project);
  return answer.type === "pass" ? inOrchestrate(call, project) : answer;
}

/** Orchestrate's keyword begins a line, or stands elsewhere and starts nothing (ORC-03). An approval is the whole prompt (ORC-69). */
async function atPrompt(call: HookCall, project: string): Promise<Answer> {
  const gate = approvedBy(call.prompt);
  if (gate !== null) {
    const checkout = triggeredIn(project, call.session);
    if (checkout === null) return pass;
    const { atApproval } = await import("./approval.ts");
    return atApproval(checkout, gate);
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
  if (call.event === "SessionStart") return { type: "tell", text: startWords(here.facts) };
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
    case "UserPromptSubmit":
    case "other":
      return pass;
    default:
      return assertNever(call.event);
  }
}

async function inOrchestrate(call: HookCall, project: string): Promise<Answer> {
  const isStop = call.event === "Stop" && call.said !== null;
  if (call.event !== "PreToolUse" && !isStop) return pass;
  const checkout = triggeredIn(project, call.session);
  if (checkout === null && startsOrchestrate(call)) return notTriggered;
  if (checkout !== null && answersForPerson(call)) return notThePerson;
  if (checkout === null || (!isStop && !startsAgent(call) && writtenPaths(checkout, call).length === 0))
    return pass;
  const { afterItsEnd, atItsEnd, whileItRuns } = await import("./orchestrate.ts");
  if (!isStop) return whileItRuns(call, checkout);
  return call.heldBefore ? afterItsEnd(checkout) : atItsEnd(call.said ?? "", checkout);
}

async function beforeTool({ facts }: Here, call: HookCall): Promise<Answer> {
  if (startsAgent(call)) return judgeSubAgent(facts, call);
  if (call.tool !== "ExitPlanMode")
    return judgeWrites(facts, call, (path) => isIgnored(facts.checkout, path));
  if (facts.mode !== "Ω₁ᴾ") return pass;
  const plan = planOf(call);
  const read = readPlan(plan);
  if (read.type === "design") return pass;
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
  const { reportPlan } = await import("./plan-mode.ts");
  return reportPlan(facts.checkout, read.design);
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
