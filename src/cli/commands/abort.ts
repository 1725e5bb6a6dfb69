import type { By } from "../../log/by.ts";
import { AppError } from "../../lib/errors.ts";
import type { FamilyRun } from "../../family/family.ts";
import { clearWorkspace, clearWorkspaces } from "../../dispatch/workspace/workspace.ts";
import { withHost, type OpenHost } from "../../run/host.ts";
import { findRun } from "../../run/find-run.ts";
import { openNode } from "../../families/graph/find-node.ts";
import { rootId } from "../../families/graph/node.ts";
import { openRun } from "../../families/open-run.ts";
import { writeHookFacts } from "../../referee/hook-facts.ts";
import type { RunView } from "../../log/run-view.ts";
import { safeLine } from "../../lib/safe-text.ts";
import type { CliResult, Run } from "../command.ts";
import { requirePerson } from "../../channel/person.ts";

export const run: Run = async (io, given) => {
  const by = requirePerson();
  return withHost(io.cwd, async (host) => {
    const run = await findRun(host, given.need("run"));
    const context = await openRun(host, { run });
    const { ended } = context.session.view;
    if (ended)
      throw new AppError("run_ended", `run ${run} has ended: ${ended.outcome}`, {
        hint: `\`mettle show ${run}\``,
      });
    const node = given.text("node");
    const reason = given.need("reason");
    if (node !== null && node !== rootId(context)) return abortNode(host, context, { node, reason, by });
    await context.session.abort(reason, by);
    await context.family.project(context);
    await writeHookFacts(context);
    if (!(await host.journal.owner(run))) {
      await clearWorkspaces(context);
      await context.family.finish(context);
    }
    return aborted(context.session.view);
  });
};

interface Ended {
  readonly node: string;
  readonly reason: string;
  readonly by: By;
}

/** Where another process drives the run, that one stops its agents and keeps their work. */
async function abortNode(host: OpenHost, context: FamilyRun, ended: Ended): Promise<CliResult> {
  const { run, session } = context;
  const { node, reason } = ended;
  const { frame } = openNode(context, node);
  const before = new Set(session.view.cancelled);
  await session.abortNode({ ...ended, frame });
  const owner = await host.journal.owner(run);
  if (!owner)
    for (const key of session.view.cancelled.filter((other) => !before.has(other))) {
      const command = session.view.commands[key]?.command;
      if (command?.type === "dispatch") await clearWorkspace(context, command);
    }
  if (!owner) await context.family.finish(context);
  const next = owner ? `process ${owner.pid} goes on with the rest` : `\`mettle resume ${run}\` goes on`;
  const text = `${node} is aborted, and its parent decides what follows; ${next}`;
  return { exit: 0, json: { run, node, aborted: true, reason }, text };
}

/** The run ended without proof, and so says its exit code, whoever wanted it (ORC-54). */
function aborted(view: RunView): CliResult {
  const { run } = view;
  const reason = view.ended?.reason ?? view.aborted ?? "";
  const rescued = view.rescued.map(({ ref }) => ref);
  const text = [
    `run ${run} is aborted`,
    ...(rescued.length === 0 ? [] : [`its work is kept: ${rescued.join(", ")}`]),
    `✗ NOT DONE: ${safeLine(reason) || "aborted"}`,
  ].join("\n");
  return { exit: 1, json: { run, aborted: true, state_line: null, reason, rescued }, text };
}
