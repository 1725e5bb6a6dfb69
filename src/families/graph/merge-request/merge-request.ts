/**
 * Opens the merge request of a published node (V3-94) if the run was started with `--pr`. It never fails a run: the
 * merge is already done, so an error becomes a warning. The push is journaled first, so that after a crash the next
 * process looks for an existing request and opens no second one.
 */
import { push, remoteOf, type Remote } from "../../../git/remote.ts";
import type { EventOf, RunEvent } from "../../../log/run-event.ts";
import { mask } from "../../../lib/mask.ts";
import { resultBranch } from "../../../run/branches.ts";
import type { RunContext } from "../../../run/context.ts";
import { findRequest, loginOf, openRequest, toolFor, type ForgeResult, type Tool } from "./forge.ts";
import { nodeBranchName, type Node } from "../node.ts";
import { requestText } from "./request-text.ts";

interface PublishedMerge {
  /** The merged commit and the parent head below it. */
  readonly commit: string;
  readonly onto: string;
  /** Id of the record that proves it; null if there is none. */
  readonly record: string | null;
  readonly signal: AbortSignal;
}

export async function mergeRequest(
  context: RunContext,
  node: Node,
  published: PublishedMerge,
): Promise<readonly RunEvent[]> {
  if (context.started.mergeRequests !== true) return [];
  const way = await findForge(context);
  if ("why" in way)
    return requestEnded(node, { type: "failed", why: `no merge request is opened: ${way.why}` });
  const answer = await pushAndOpen(context, node, { ...published, ...way });
  if (answer.type !== "failed") return requestEnded(node, answer);
  const why = mask(`no merge request for ${node.id}: ${answer.why}`, context.host.secrets);
  return requestEnded(node, { type: "failed", why });
}

interface Forge {
  readonly tool: Tool;
  readonly remote: Remote;
}

/** Uses only the remote of the branch that the run started from. */
async function findForge(context: RunContext): Promise<Forge | { readonly why: string }> {
  const { branch } = context.started;
  if (branch === null)
    return { why: "the run started from a detached HEAD, so there is no branch to merge into" };
  const remote = await remoteOf(context.repository, { branch, login: loginOf(context) });
  if (remote === null) return { why: `${branch} has no remote` };
  const found = await toolFor(context, remote.url);
  return "why" in found ? found : { ...found, remote };
}

type Outcome = ForgeResult | { readonly type: "found"; readonly url: string | null };

async function pushAndOpen(context: RunContext, node: Node, merge: PublishedMerge & Forge): Promise<Outcome> {
  const { repository, session } = context;
  const { tool, remote } = merge;
  const earlier = node.entry.requests.length > 0;
  const begun = beginRequest(context, node, merge);
  await session.record([begun]);
  const own = new Set(Object.values(session.view.nodes).flatMap(pushedFor));
  const why = await push(repository, {
    remote,
    login: loginOf(context),
    branches: begun.pushed,
    own,
  });
  if (why !== null) return { type: "failed", why: `${begun.branch} is not on ${remote.name}: ${why}` };
  const { branch, target } = begun;
  const forge = { ...context, signal: merge.signal };
  const at = { branch, url: remote.url };
  const found: ForgeResult = earlier ? await findRequest(forge, tool, at) : { type: "none" };
  if (found.type === "opened") return { type: "found", url: found.url };
  if (found.type === "failed") return found;
  const text = await requestText(context, node, merge);
  return openRequest(forge, tool, { ...text, ...at, target });
}

/** A child targets its parent's branch before the merge, with its own commits; the root its base, with its result. */
function beginRequest(
  context: RunContext,
  node: Node,
  merge: PublishedMerge & Forge,
): EventOf<"node.request_begun"> {
  const { run } = context;
  const { tool, remote, commit, onto } = merge;
  const { id, parent } = node;
  const about = { type: "node.request_begun", node: id, tool, remote: remote.name } as const;
  if (parent === null) {
    const branch = resultBranch(run).replace("refs/heads/", "");
    return { ...about, branch, target: remote.branch, pushed: { [branch]: commit } };
  }
  const branch = nodeBranchName(run, id);
  const target = nodeBranchName(run, parent);
  return { ...about, branch, target, pushed: { [target]: onto, [branch]: node.entry.head } };
}

function pushedFor({ requests }: Node["entry"]): readonly string[] {
  return requests.flatMap(({ pushed }) => Object.values(pushed));
}

function requestEnded(node: Node, outcome: Outcome): readonly RunEvent[] {
  const about = { type: "node.request_ended", node: node.id } as const;
  switch (outcome.type) {
    case "opened":
    case "found":
      return [{ ...about, outcome: outcome.type, url: outcome.url, why: "" }];
    case "none":
      return [];
    case "failed":
      return [
        { ...about, outcome: "failed", url: null, why: outcome.why },
        { type: "warned", code: "merge_request_failed", message: outcome.why },
      ];
  }
}
