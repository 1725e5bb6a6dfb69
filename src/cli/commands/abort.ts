import { AppError } from "../../lib/errors.ts";
import { projectMemoryBank } from "../../runtime/cycles/memory-bank.ts";
import { clearWorkspaces } from "../../runtime/dispatch/workspace.ts";
import { withHost } from "../../runtime/host.ts";
import { findRun } from "../../runtime/find-run.ts";
import { openRun } from "../../runtime/open-run.ts";
import { keepHookFacts } from "../../runtime/referee/hook-facts.ts";
import { stateLineOf } from "../../views/run-state-line.ts";
import type { RunView } from "../../views/run-view.ts";
import { safeLine } from "../../views/safe-text.ts";
import type { CliCommand, CliResult } from "../command.ts";
import { person } from "../person.ts";

export const command: CliCommand = {
  define: (line) =>
    line.argument("<run>", "id of the run").option("--reason <text>", "why", "aborted by a person"),
  async run(io, [given], options) {
    const by = person();
    return withHost(io.cwd, async (host) => {
      const run = await findRun(host, given);
      const context = await openRun(host, { run });
      const { ended } = context.session.view;
      if (ended)
        throw new AppError("run_ended", `run ${run} has ended: ${ended.outcome}`, {
          hint: `\`mettle show ${run}\``,
        });
      await context.session.abort(String(options["reason"]), by);
      await projectMemoryBank(context);
      await keepHookFacts(context);
      if (!(await host.journal.owner(run))) await clearWorkspaces(context);
      return aborted(context.session.view);
    });
  },
};

/** The run ended without proof, and so says its exit code, whoever wanted it (ORC-54). */
function aborted(view: RunView): CliResult {
  const { run } = view;
  const line = stateLineOf(view);
  const reason = view.ended?.reason ?? view.aborted ?? "";
  const rescued = view.rescued.map(({ ref }) => ref);
  const text = [
    ...(line === null ? [] : [line]),
    `run ${run} is aborted`,
    ...(rescued.length === 0 ? [] : [`its work is kept: ${rescued.join(", ")}`]),
    `✗ NOT DONE: ${safeLine(reason)}`,
  ].join("\n");
  return { exit: 1, json: { run, aborted: true, state_line: line, reason, rescued }, text };
}
