/**
 * Starts a run of Orchestrate for a session. Only a person's keyword does (ORC-04): the hook kept the prompt and told that
 * session, and no other, a token for it.
 */
import { shippedFamilies } from "../families/families.ts";
import { readFile, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "../lib/errors.ts";
import type { OpenHost } from "../run/host.ts";
import { startRun } from "../engine/start/start-run.ts";
import { planModeText } from "../families/orchestrate/trigger.ts";
import { triggersFolder, type TypedKeyword } from "../run/hook-files.ts";

export interface StartRequest {
  readonly token?: string;
  /** Used where the keyword stood alone: what the person said is not said again in other words. */
  readonly task?: string;
}

/** What the session is told: how the run is driven. */
export async function startOrchestrate(host: OpenHost, { token, task = "" }: StartRequest): Promise<string> {
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
  const names: readonly string[] = await readdir(folder).catch(() => []); // Nobody typed it yet.
  for (const name of names.filter((each) => each.endsWith(".json"))) {
    const typed = JSON.parse(await readFile(join(folder, name), "utf8")) as TypedKeyword;
    if (typed.token === token) return typed;
  }
  return null;
}

/** One keyword is one run, also where two calls come at once. A start that fails leaves it to be tried again. */
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
  return new AppError("not_triggered", "no keyword of a person stands behind this call", {
    hint: "the person begins a line of their own with @orchestrate and the task; its token starts one run",
  });
}
