/**
 * Orchestrate in a person's session: Mettle runs it, the session starts it and says what it says. Only a session in which the
 * person typed the keyword is held to anything (ORC-02). This part opens the store, so it is loaded only for such a session.
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
import { pass, startsAgent, type Answer, type HookCall } from "./call.ts";
import type { TypedKeyword } from "../run/hook-files.ts";
import { triggerFile } from "./session-files.ts";
import { planModeSteps } from "./orchestrate-phases.ts";
import { retractClaims, retractedClaims } from "./session-claims.ts";
import { writtenPaths } from "./writes.ts";

/** The person typed the keyword, with a task or none. */
export async function onKeyword({ session }: HookCall, cwd: string, task: string): Promise<Answer> {
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

/** What the session is there for, after its context was compacted (ORC-79). */
export async function repeatBrief(checkout: string): Promise<Answer> {
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

/** A session in which the keyword was typed: while a run goes on it starts no agents and writes nothing (ORC-60, ORC-61). */
export async function judgeDuringRun(call: HookCall, checkout: string): Promise<Answer> {
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

/** What the session said last begins with the state line, and claims nothing that no record shows (ORC-88, ORC-54). */
export async function onStop(
  { lastMessage: said, isPlanMode: plans }: HookCall,
  checkout: string,
): Promise<Answer> {
  return withHost(checkout, async (host) => {
    const run = await newestOrchestrateRun(host);
    return run === null || run.status === "complete"
      ? pass
      : judgeLastMessage(host, run, { said: said ?? "", plans });
  });
}

/** The session was held already: the person hears what it was held for. */
export async function onHeldStop(checkout: string): Promise<Answer> {
  return withHost(checkout, async (host) => {
    const run = await newestOrchestrateRun(host);
    const texts = run === null || isOver(run) ? [] : await retractedClaims(host, run.run);
    return texts.length === 0 ? pass : { type: "hint", text: `Mettle: ${texts.join("\n")}` };
  });
}

async function judgeLastMessage(
  host: OpenHost,
  run: RunStatus,
  { said, plans }: { readonly said: string; readonly plans: boolean },
): Promise<Answer> {
  const claims = scanClaims(said);
  const texts = isOver(run)
    ? claims.map(({ phrase }) => `UNVERIFIED: "${phrase}" is not shown by run ${run.run}: ${run.status}`)
    : await retractClaims(host, { run: run.run, claims });
  // What was executed just now is in the line too.
  const { state_line } = texts.length === 0 ? run : ((await newestOrchestrateRun(host)) ?? run);
  const line = isOver(run) ? null : state_line;
  const isRight = line === null || said.trimStart().startsWith(line);
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
