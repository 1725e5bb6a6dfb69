/**
 * The program `drive`: drives one run on this host without a terminal, until it ends or waits for a person. Only `go-on.ts` starts it.
 */
import { currentFolder } from "../../config/current-folder.ts";
import { reportReady } from "../../process/start-program.ts";
import { withHost } from "../../run/host.ts";
import { driveRun } from "../drive-run.ts";
import type { CliResult, Io } from "../command.ts";
import { runAlone } from "../run-command.ts";

const [run = ""] = process.argv.slice(2);

process.exitCode = await runAlone((io) => withHost(currentFolder(), (host) => driveOn(io, host)));

/** Goes on when an answer came while it stopped: the command that answered saw that a process drives the run. */
async function driveOn(io: Io, host: Parameters<Parameters<typeof withHost>[1]>[0]): Promise<CliResult> {
  for (;;) {
    let seen = 0;
    const result = await driveRun({
      io,
      host,
      run,
      isOwn: true,
      beforeOpen: async () => reportReady(),
      afterDrive: ({ session }) => {
        seen = session.view.seq;
      },
    });
    const isOver = result.exit === 130 || io.signal.aborted || (await host.journal.head(run)) <= seen;
    if (isOver) return result;
  }
}
