/**
 * Starts a run of Orchestrate for a session, after a person has typed the keyword (ORC-04): the hook has stored the prompt and
 * given that session, and no other, a token.
 */
import { shippedFamilies } from "../families/families.ts";
import { readFile, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "../lib/errors.ts";
import type { OpenHost } from "../run/host.ts";
import { startRun } from "../engine/start/start-run.ts";
import { planModeText } from "../families/orchestrate/trigger.ts";
import { triggersFolder, type TypedKeyword } from "../run/hook-files.ts";

export interface RefereeStartRequest {
  readonly token?: string;
  /** Used only if the person typed the keyword without a task: the session must not rephrase their task. */
  readonly task?: string;
}

/** @returns the message for the session: how to continue the run */
export async function startOrchestrate(
  host: OpenHost,
  { token, task = "" }: RefereeStartRequest,
): Promise<string> {
  const folder = join(host.home.root, triggersFolder);
  const typed = token === undefined ? null : await keywordOf(folder, token);
  if (token === undefined || typed === null) throw notTriggered();
  const wanted = typed.task === "" ? task.trim() : typed.task;
  if (wanted === "")
    throw new AppError("empty_task", "a run needs a task", { hint: "ask the person what to build" });
  const run = await once(join(folder, `${token}.started`), () => beginRun(host, wanted));
  return [
    `run ${run} is begun: ${wanted}`,
    planModeText,
    `Drive it with the Bash tool: mettle resume ${run}. Show what it shows; only the person answers what it asks.`,
  ].join("\n");
}

async function beginRun(host: OpenHost, task: string): Promise<string> {
  const protocol = "orchestrate";
  return (await startRun(host, { task, protocol, agents: {}, preapproved: [], demo: false }, shippedFamilies))
    .run;
}

async function keywordOf(folder: string, token: string): Promise<TypedKeyword | null> {
  const names: readonly string[] = await readdir(folder).catch(() => []); // no keyword yet
  for (const name of names.filter((each) => each.endsWith(".json"))) {
    const typed = JSON.parse(await readFile(join(folder, name), "utf8")) as TypedKeyword;
    if (typed.token === token) return typed;
  }
  return null;
}

/** One keyword starts one run, even with two concurrent calls. A failed start can be repeated. */
async function once(used: string, start: () => Promise<string>): Promise<string> {
  try {
    await writeFile(used, "", { flag: "wx", mode: 0o600 });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") throw notTriggered();
    throw error;
  }
  try {
    return await start();
  } catch (error) {
    await rm(used, { force: true });
    throw error;
  }
}

function notTriggered(): AppError {
  return new AppError("not_triggered", "no person has typed the keyword for this call", {
    hint: "the person begins a line of their own with @orchestrate and the task; its token starts one run",
  });
}
