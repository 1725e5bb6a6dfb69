/**
 * Orchestrate in a person's session: the session starts the run and shows its output, Mettle executes it. Rules apply only to a
 * session in which the person typed the keyword (ORC-02). Loaded only for such a session, since it opens the store.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { scanClaims } from "../evidence/claims.ts";
import { newId } from "../lib/ids.ts";
import { withHost, type OpenHost } from "../run/host.ts";
import { newestOrchestrateRun } from "../families/orchestrate/newest-run.ts";
import { isOver } from "../run/run-status.ts";
import { planModeText } from "../families/orchestrate/trigger.ts";
import { shellWords } from "../views/shell-words.ts";
import type { RunStatus } from "../views/run/status.ts";
import { pass, startsAgent, type HookDecision, type HookCall } from "./call.ts";
import type { TypedKeyword } from "../run/hook-files.ts";
import { triggerFile } from "./session-files.ts";
import { planModeSteps } from "./orchestrate-phases.ts";
import { retractClaims, retractedClaims } from "./session-claims.ts";
import { writtenPaths } from "./writes.ts";

/** Handles the typed keyword, with or without a task. */
export async function onKeyword({ session }: HookCall, cwd: string, task: string): Promise<HookDecision> {
  const token = await withHost(cwd, async ({ home, clock }) => {
    const file = triggerFile(home.root, session);
    if (file === null) return null;
    const typed: TypedKeyword = { at: new Date(clock.now()).toISOString(), token: newId(16), task };
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, JSON.stringify(typed), { mode: 0o600 });
    return typed.token;
  });
  const asTool = token === null ? "" : ` Mettle's tool start with {"token": "${token}"} starts it too.`;
  const words =
    task === ""
      ? `There is no task yet: ask the single question what to build, and wait for the answer.${asTool}`
      : `Start it with the Bash tool: ${shellWords(["mettle", "run", "--protocol", "orchestrate", task])}.${asTool}`;
  return {
    type: "tell",
    text: `Mettle: the person asks for Orchestrate. ${words}\n${planModeText}\n${rules}`,
  };
}

const rules =
  "Mettle starts every isolated agent itself, so start none, and change no file of the project. Show what it shows, and its exact commands where it waits for the person.";

/** Repeats the brief after a compaction (ORC-79). */
export async function repeatBrief(checkout: string): Promise<HookDecision> {
  const run = await withHost(checkout, newestOrchestrateRun);
  if (run === null || isOver(run)) return pass;
  const waits = run.waiting.flatMap(({ text, commands }) => [text, ...commands.map((each) => `  ${each}`)]);
  const text = [
    `Mettle: run ${run.run} of Orchestrate goes on: ${run.task}`,
    `Begin each answer with the state line: ${run.state_line ?? ""}`,
    "Its documents are in .claude/temp: spec.md, architecture.md and the reviews, as far as they are written.",
    ...(waits.length === 0
      ? [`Let it go on: mettle resume ${run.run}`]
      : ["It waits for the person:", ...waits]),
    ...planModeSteps(run),
    rules,
  ].join("\n");
  return { type: "tell", text };
}

/** While a run is active the session may neither start agents nor write files (ORC-60, ORC-61). */
export async function judgeDuringRun(call: HookCall, checkout: string): Promise<HookDecision> {
  const isAgent = startsAgent(call);
  const [path] = isAgent ? [] : writtenPaths(checkout, call).filter(({ guessed }) => !guessed);
  if (!isAgent && path === undefined) return pass;
  const active = await withHost(checkout, newestOrchestrateRun);
  if (active === null || isOver(active)) return pass;
  const what = isAgent
    ? "isolated agents are started by Mettle, not by the session"
    : `${path?.path ?? ""} may not be written by the session: only Mettle's isolated agents write tests and source`;
  return { type: "deny", reason: `Mettle: run ${active.run} of Orchestrate goes on; ${what}` };
}

/** Checks that the last message begins with the state line and claims nothing without a record (ORC-88, ORC-54). */
export async function onStop(
  { lastMessage: message, isPlanMode: plans }: HookCall,
  checkout: string,
): Promise<HookDecision> {
  return withHost(checkout, async (host) => {
    const run = await newestOrchestrateRun(host);
    return run === null || run.status === "complete"
      ? pass
      : judgeLastMessage(host, run, { message: message ?? "", plans });
  });
}

/** After a session was held once, shows the person its unproven claims. */
export async function onHeldStop(checkout: string): Promise<HookDecision> {
  return withHost(checkout, async (host) => {
    const run = await newestOrchestrateRun(host);
    const texts = run === null || isOver(run) ? [] : await retractedClaims(host, run.run);
    return texts.length === 0 ? pass : { type: "hint", text: `Mettle: ${texts.join("\n")}` };
  });
}

async function judgeLastMessage(
  host: OpenHost,
  run: RunStatus,
  { message, plans }: { readonly message: string; readonly plans: boolean },
): Promise<HookDecision> {
  const claims = scanClaims(message);
  const texts = isOver(run)
    ? claims.map(({ phrase }) => `UNVERIFIED: "${phrase}" is not shown by run ${run.run}: ${run.status}`)
    : await retractClaims(host, { run: run.run, claims });
  // The line includes what was executed just now.
  const { state_line } = texts.length === 0 ? run : ((await newestOrchestrateRun(host)) ?? run);
  const line = isOver(run) ? null : state_line;
  const isRight = line === null || message.trimStart().startsWith(line);
  const asks = plans && !isOver(run) ? planModeSteps(run) : [];
  if (isRight && texts.length + asks.length === 0) return pass;
  const reason = [
    ...(line === null || isRight ? [] : [`begin with this line, which is true: ${line}`]),
    ...texts,
    ...asks,
    ...(isOver(run) ? [`✗ NOT DONE: ${run.reason ?? run.status}`] : []),
  ];
  return { type: "hold", reason: `Mettle: ${reason.join("\n")}` };
}
