import { AppError } from "../../lib/errors.ts";
import { clearWorkspaces } from "../../runtime/dispatch/workspace.ts";
import { openHost } from "../../runtime/host.ts";
import { findRun } from "../../runtime/find-run.ts";
import { openRun } from "../../runtime/open-run.ts";
import type { CliCommand } from "../command.ts";
import { person } from "../person.ts";

export const command: CliCommand = {
  define: (line) =>
    line.argument("<run>", "id of the run").option("--reason <text>", "why", "aborted by a person"),
  async run(io, [given], options) {
    const by = person();
    const host = await openHost(io.cwd);
    try {
      const run = await findRun(host, given);
      const context = await openRun(host, { run });
      const { ended } = context.session.view;
      if (ended)
        throw new AppError("run_ended", `run ${run} has ended: ${ended.outcome}`, {
          hint: `\`mettle show ${run}\``,
        });
      await context.session.abort(String(options["reason"]), by);
      if (!(await host.journal.owner(run))) await clearWorkspaces(context);
      const rescued = context.session.view.rescued.map(({ ref }) => ref);
      const kept = rescued.length === 0 ? "" : `\nits work is kept: ${rescued.join(", ")}`;
      return {
        exit: 0,
        json: { run, aborted: true, rescued },
        text: `run ${run} is aborted${kept}\n✗ NOT DONE: ${String(options["reason"])}`,
      };
    } finally {
      await host.journal.close();
    }
  },
};
