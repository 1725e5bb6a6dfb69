import { withHost } from "../../runtime/host.ts";
import { recorded } from "../../runtime/list-runs.ts";
import { findRun } from "../../runtime/find-run.ts";
import { timeline, timelineText } from "../../views/timeline.ts";
import type { CliCommand } from "../command.ts";

export const command: CliCommand = {
  define: (line) => line.argument("[run]", "id of the run (default: the newest)"),
  async run(io, [given]) {
    return withHost(io.cwd, async (host) => {
      const run = await findRun(host, given);
      const lines = timeline((await host.journal.read(run)).map(recorded));
      return { exit: 0, json: { run, events: lines }, text: timelineText(lines) };
    });
  },
};
