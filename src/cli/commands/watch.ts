import { withHost } from "../../runtime/host.ts";
import { laterCommit } from "../../runtime/later-commit.ts";
import { foldRun, recorded } from "../../runtime/list-runs.ts";
import { findRun } from "../../runtime/find-run.ts";
import type { RunView } from "../../views/run-view.ts";
import { teller } from "../../views/timeline.ts";
import { openAsks } from "../../views/open-asks.ts";
import { runStatus, statusText } from "../../views/status.ts";
import type { CliCommand } from "../command.ts";
import { exitOfAsks, exitOfEnd } from "../exit.ts";

/** Milliseconds between two looks at the journal. */
const intervalMs = 300;

export const command: CliCommand = {
  define: (line) => line.argument("[run]", "id of the run (default: the newest)"),
  async run(io, [given]) {
    return withHost(io.cwd, async (host) => {
      const run = await findRun(host, given);
      const tell = teller();
      let seen = 0;
      let wasLeft = false;
      for (;;) {
        for (const event of (await host.journal.read(run, seen)).map(recorded)) {
          seen = event.seq;
          const line = tell(event);
          if (line !== null) io.say(line);
        }
        const view = await foldRun(host.journal, run);
        const owner = (await host.journal.owner(run))?.pid ?? null;
        // Between two commands nobody drives a run for a moment: it is left when it is so twice.
        const isLeft = owner === null && (wasLeft || openAsks(view).length > 0);
        if (view.ended || isLeft || io.signal.aborted) {
          const later = await laterCommit(host.repository, view);
          const status = runStatus(view, { owner, later });
          return { exit: exitOf(view, io.signal), json: { ...status }, text: statusText(status) };
        }
        wasLeft = owner === null;
        await host.clock.sleep(intervalMs, io.signal);
      }
    });
  },
};

/** The code that the process that drove the run ended with; of one that was stopped in the middle, that of an interrupt. */
function exitOf(view: RunView, { aborted }: AbortSignal): number {
  if (view.ended) return exitOfEnd(view.ended.outcome);
  const asks = openAsks(view);
  return aborted || asks.length === 0 ? 130 : exitOfAsks(asks);
}
