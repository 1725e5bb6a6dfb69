import { openHost } from "../../runtime/host.ts";
import { foldRuns } from "../../runtime/list-runs.ts";
import { findRun } from "../../runtime/find-run.ts";
import { runStatus, statusText } from "../../views/status.ts";
import type { CliCommand } from "../command.ts";

export const command: CliCommand = {
  define: (line) =>
    line.argument("[run]", "id of one run (default: all that have not ended, and the newest)"),
  async run(io, [given]) {
    const host = await openHost(io.cwd);
    try {
      const views = await foldRuns(host.journal);
      const only = given === undefined ? null : await findRun(host, given);
      const newest = views.at(-1)?.run;
      const wanted = views.filter(({ run, ended }) =>
        only === null ? !ended || run === newest : run === only,
      );
      const runs = await Promise.all(
        wanted.map(async (view) =>
          runStatus(view, { owner: (await host.journal.owner(view.run))?.pid ?? null }),
        ),
      );
      const text =
        runs.length === 0
          ? 'no runs yet; start one: mettle run "@orchestrate …"'
          : runs.map(statusText).join("\n\n");
      return { exit: 0, json: { runs }, text };
    } finally {
      await host.journal.close();
    }
  },
};
