/** Gathers the facts of the tree that a payload is checked against, when its dispatch begins. */
import { worktreeLinkFinder } from "../../../git/links.ts";
import { parentIdOf } from "../../../log/node-id.ts";
import { InitWork } from "../../../protocol/graph-types/scaffold.ts";
import type { RunContext } from "../../../run/context.ts";
import type { RefusalRules, TreeFacts } from "./refusal.ts";
import { specOf } from "../facts.ts";
import { entryOf, type Node } from "../node.ts";
import { acceptedOf } from "../payloads.ts";
import { nodeRefusal, pathRefusal } from "./refusals.ts";

/** @param worktree path of the agent's worktree */
export async function refusalRules(context: RunContext, node: Node, worktree: string): Promise<RefusalRules> {
  const { session, settings } = context;
  const { maxDepth, maxChildren, maxNodes } = settings.graph;
  const facts: TreeFacts = {
    spec: await specOf(context, node.entry),
    node: node.id,
    depth: node.depth,
    nodes: Object.keys(session.view.nodes),
    limits: { maxDepth, maxChildren, maxNodes },
    linkOut: worktreeLinkFinder(worktree),
  };
  return { paths: pathRefusal(facts), tree: nodeRefusal(facts) };
}

/** Interface files of all ancestors (V3-37). */
export async function ancestorInterfaces(
  context: RunContext,
  parent: string | null,
): Promise<readonly string[]> {
  if (parent === null) return [];
  const work = await acceptedOf(context, {
    entry: entryOf(context, parent),
    exit: "InitWork",
    type: InitWork,
  });
  const own = work === null ? [] : [work.interfaceFile, ...(work.interfaces ?? []).map(({ path }) => path)];
  return [...own, ...(await ancestorInterfaces(context, parentIdOf(parent)))];
}
