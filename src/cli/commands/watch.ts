import { openHost } from "../../runtime/host.ts";
import { foldRun, recorded } from "../../runtime/list-runs.ts";
import { findRun } from "../../runtime/find-run.ts";
import { describe } from "../../views/timeline.ts";
import { openAsks } from "../../views/open-asks.ts";
import { runStatus, statusText } from "../../views/status.ts";
import type { CliCommand } from "../command.ts";
import { exitOfAsks, exitOfEnd } from "../exit.ts";

/** Milliseconds between two looks at the journal. */
const intervalMs = 300;

export const command: CliCommand = {
  define: (line) => line.argument("[run]", "id of the run (default: the newest)"),
  async run(io, [given]) {
    const host = await openHost(io.cwd);
    try {
      const run = await findRun(host, given);
      let seen = 0;
      for (;;) {
        for (const event of (await host.journal.read(run, seen)).map(recorded)) {
          seen = event.seq;
          const line = describe(event);
          if (line !== null) io.say(line);
        }
        const view = await foldRun(host.journal, run);
        const owner = (await host.journal.owner(run))?.pid ?? null;
        const asks = openAsks(view);
        if (view.ended || owner === null || io.signal.aborted) {
          const status = runStatus(view, { owner });
          const exit = view.ended
            ? exitOfEnd(view.ended.outcome)
            : io.signal.aborted
              ? 130
              : exitOfAsks(asks);
          return { exit, json: { ...status }, text: statusText(status) };
        }
        await host.clock.sleep(intervalMs, io.signal);
      }
    } finally {
      await host.journal.close();
    }
  },
};
