import { withHost } from "../../runtime/host.ts";
import { findRun } from "../../runtime/find-run.ts";
import { tipsOfRuns } from "../../runtime/later-commit.ts";
import { isOver, statusOfRun } from "../../runtime/run-status.ts";
import { statusText } from "../../views/status.ts";
import type { OpenHost } from "../../runtime/host.ts";
import type { RunStatus } from "../../views/status.ts";
import type { CliCommand } from "../command.ts";

export const command: CliCommand = {
  define: (line) =>
    line.argument("[run]", "id of one run (default: all that have not ended, and the newest)"),
  async run(io, [given]) {
    return withHost(io.cwd, async (host) => {
      const ids = await host.journal.runs();
      const only = given === undefined ? null : await findRun(host, given);
      const statuses = [];
      const branches = { repository: host.repository, tips: await tipsOfRuns(host.repository) };
      for (const run of only === null ? ids : [only])
        statuses.push(await withTree(host, await statusOfRun(host.journal, run, branches), only !== null));
      const runs = statuses.filter((status) => only !== null || !isOver(status) || status.run === ids.at(-1));
      const text =
        runs.length === 0
          ? 'no runs yet; start one: mettle run "@orchestrate …"'
          : runs.map(statusText).join("\n\n");
      const [one] = runs;
      if (only === null || one === undefined || one.mode === null) return { exit: 0, json: { runs }, text };
      const { activeState } = await import("../../runtime/cycles/active-state.ts");
      const { openRun } = await import("../../runtime/open-run.ts");
      const state = await activeState(await openRun(host, { run: only }));
      return { exit: 0, json: { runs: [{ ...one, state }] }, text };
    });
  },
};

/** Of a graph that goes on or was asked for. A protocol without nodes is not opened for it. */
async function withTree(host: OpenHost, status: RunStatus, isAsked: boolean): Promise<RunStatus> {
  if (status.nodes === null || (isOver(status) && !isAsked)) return status;
  const { treeStatus } = await import("../../runtime/nodes/tree-status.ts");
  const { openRun } = await import("../../runtime/open-run.ts");
  return { ...status, ...(await treeStatus(await openRun(host, { run: status.run }), status.owner)) };
}
