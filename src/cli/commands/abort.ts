import { mask } from "../../lib/mask.ts";
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
import { isOfWorkers } from "../../run/run-host.ts";
import { safeLine } from "../../lib/safe-text.ts";
import type { CliResult, CommandHandler } from "../command.ts";
import { confirmEnd } from "../prompt/confirm-end.ts";
import { requirePerson } from "../../channel/person.ts";
import { wakeWorkers } from "../../worker/wake.ts";
import { goOnDetached, isDetached } from "../background/go-on.ts";

export const run: CommandHandler = async (io, given) => {
  const by = requirePerson();
  const [node, reason] = [given.text("node"), given.need("reason")];
  return withHost(io.cwd, async (host) => {
    const run = await findRun(host, given.need("run"));
    if (io.interactive && !given.flag("yes")) {
      const context = await openRun(host, { run });
      refuseEnded(context);
      if (!(await confirmEnd(host, context, node)))
        return { exit: 0, json: { run, node, aborted: false }, text: "nothing was ended" };
    }
    return abortRun(host, run, { node, reason, by });
  });
};

export function refuseEnded({ run, session }: Pick<FamilyRun, "run" | "session">): void {
  const { ended } = session.view;
  if (ended)
    throw new AppError("run_ended", `run ${run} has ended: ${ended.outcome}`, {
      hint: `\`mettle show ${run}\``,
    });
}

export interface RunAbort {
  /** Null: the whole run. */
  readonly node: string | null;
  readonly reason: string;
  readonly by: By;
}

export async function abortRun(
  host: OpenHost,
  run: string,
  { node, by, ...given }: RunAbort,
): Promise<CliResult> {
  const context = await openRun(host, { run });
  refuseEnded(context);
  const reason = mask(given.reason, context.host.secrets);
  if (node !== null && node !== rootId(context)) return abortNode(host, context, { node, reason, by });
  await context.session.abort(reason, by);
  if (isOfWorkers(context)) await wakeWorkers(host, context);
  await context.family.writeDocuments(context);
  await writeHookFacts(context);
  if (!(await host.journal.owner(run))) {
    await clearWorkspaces(context);
    await context.family.finish(context);
  }
  return abortResult(context.session.view);
}

interface NodeAbort {
  readonly node: string;
  readonly reason: string;
  readonly by: By;
}

/** If another process drives the run, that process stops the agents and saves their work. */
async function abortNode(host: OpenHost, context: FamilyRun, abort: NodeAbort): Promise<CliResult> {
  const { run, session } = context;
  const { node, reason } = abort;
  const { frame } = openNode(context, node);
  const before = new Set(session.view.cancelled);
  await session.abortNode({ ...abort, frame });
  const owner = await host.journal.owner(run);
  if (!owner)
    for (const key of session.view.cancelled.filter((other) => !before.has(other))) {
      const command = session.view.commands[key]?.command;
      if (command?.type === "dispatch") await clearWorkspace(context, command);
    }
  if (!owner) await context.family.finish(context);
  const isLeft = isDetached(context.started);
  if (isLeft) await goOnDetached(host, context);
  const next = isLeft
    ? "the run goes on without this command"
    : owner
      ? `process ${owner.pid} continues the rest`
      : `\`mettle resume ${run}\` continues the run`;
  const text = `${node} is aborted, and its parent decides how to continue; ${next}`;
  return { exit: 0, json: { run, node, aborted: true, reason }, text };
}

/** Exit code 1: the run ended without proof (ORC-54). */
function abortResult(view: RunView): CliResult {
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
