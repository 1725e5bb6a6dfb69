import { existsSync } from "node:fs";
import { join } from "node:path";
import { programPath } from "../../config/env.ts";
import type { Repository } from "../../git/repository.ts";
import { withHost, type OpenHost } from "../../run/host.ts";
import { findRun } from "../../run/find-run.ts";
import { tipsOfRuns, type Tips } from "../../run/later-commit.ts";
import { isOver, statusOfRun } from "../../run/run-status.ts";
import { statusText } from "../../views/run/status.ts";
import type { CliResult, CommandHandler } from "../command.ts";
import { firstRun } from "../first-run.ts";
import { withTree } from "../with-tree.ts";

export const run: CommandHandler = async (io, given) => {
  // Git lists the branches while the journal is opened.
  const tips = tipsOfRuns({ path: programPath(), gitDir: null, cwd: io.cwd });
  tips.catch(() => undefined);
  return withHost(io.cwd, (host) => statusOf(host, given.text("run"), tips), { anyVersion: true });
};

async function statusOf(host: OpenHost, named: string | null, tips: Promise<Tips>): Promise<CliResult> {
  const only = named === null ? null : await findRun(host, named);
  const newest = only ?? (await host.journal.newestRun());
  const open = only === null ? await host.journal.openRuns() : [];
  const branches = { repository: host.repository, tips: await tips };
  const runs = [];
  for (const run of new Set([...open, ...(newest === null ? [] : [newest])])) {
    const status = await statusOfRun(host.journal, run, branches);
    if (!isOver(status)) runs.push(await withTree(host, status));
    else if (run === newest) runs.push(only === null ? status : await withTree(host, status));
  }
  const plans = only === null ? await planStatus(host.repository) : noPlans;
  const parts = [...runs.map(statusText), ...plans.texts];
  const text = parts.join("\n\n") || `no runs yet; start one: ${firstRun("orchestrate")}`;
  const [one] = runs;
  if (only === null) return { exit: 0, json: { runs, ...plans.json }, text };
  if (one === undefined || one.mode === null) return { exit: 0, json: { runs }, text };
  const { activeState } = await import("../../families/cycles/active-state.ts");
  const { openRun } = await import("../../families/open-run.ts");
  const state = await activeState(await openRun(host, { run: only }));
  return { exit: 0, json: { runs: [{ ...one, state }] }, text };
}

const noPlans = { json: { gates: [], unverified: [] }, texts: [] };

/** Loads the code of plans only if the repository has any. */
async function planStatus(repository: Repository) {
  if (!existsSync(join(repository.root, ".claude", "plans"))) return noPlans;
  const { listOpenGates, openGatesText } = await import("../../plans/gates/open-gates.ts");
  const { unverifiedMerges, unverifiedText } = await import("../../plans/merge/unverified.ts");
  const [gates, unverified] = [await listOpenGates(repository), await unverifiedMerges(repository)];
  return { json: { gates, unverified }, texts: [...openGatesText(gates), ...unverifiedText(unverified)] };
}
