/** Starts the children of an accepted scaffold, and rescues the work of those that it changes or drops (V3-09). */
import { canonicalJson } from "../../../lib/hash.ts";
import { cleanPath } from "../../../gates/node/node-paths.ts";
import { rescue } from "../../../git/rescue.ts";
import { readRef } from "../../../git/refs.ts";
import type { RunEvent } from "../../../log/run-event.ts";
import type { Child } from "../../../kernel/state.ts";
import type { ChildSpec, InitWork, ParentContext } from "../../../protocol/graph-types/scaffold.ts";
import type { NodeEntry } from "../../../log/nodes.ts";
import { moveBranch } from "../../../run/branches.ts";
import type { RunContext } from "../../../run/context.ts";
import { nodeBranch, type Node } from "../node.ts";
import { childHash } from "../decision/settle-node.ts";
import { projectAt } from "../../../proof/project/project.ts";
import type { GateRequest } from "../../../family/gate.ts";

export interface ScaffoldChange extends Pick<GateRequest, "context" | "command"> {
  readonly node: Node;
  /** With the commit of the runtime. */
  readonly work: InitWork;
}

export async function childFacts(planting: ScaffoldChange): Promise<readonly RunEvent[]> {
  const { context, node, work } = planting;
  const specs = work.childSpecs ?? [];
  const children = specs.map((spec) => {
    const id = `${node.id}--${spec.id}`;
    return { spec, id, item: childHash(node, spec, work.interfaces ?? []) };
  });
  const fresh = children.filter(
    ({ id, spec, item }) => !isContinued(context, { node, id, item, name: spec.id }),
  );
  const kept = new Set(children.filter((one) => !fresh.includes(one)).map(({ id }) => id));
  const facts: RunEvent[] = [];
  for (const [id, entry] of discardedNodes(context, node, kept))
    facts.push(...(await rescueNode(planting, id, entry)));
  for (const { spec, id, item } of fresh) {
    const ref = nodeBranch(context.run, id);
    if ((await readRef(context.repository, ref)) !== null)
      await moveBranch(context, ref, work.scaffoldCommit);
    facts.push(await childBegan(planting, { spec, id, item }));
  }
  return facts;
}

/**
 * Whether the kernel leaves the child alone: unchanged, and working, asking or merged; or failed while Scaffold was
 * working, which Scaffold has to handle first. Any other failed child restarts.
 */
function isContinued(
  { session }: RunContext,
  {
    node,
    id,
    item,
    name,
  }: { readonly node: Node; readonly id: string; readonly item: string; readonly name: string },
): boolean {
  if (session.view.nodes[id]?.item !== item) return false;
  const { children = {} } = session.state.frames[node.frame] ?? {};
  const lists: readonly (readonly Pick<Child, "item" | "frame" | "outcome" | "judged">[])[] =
    Object.values(children);
  const child = lists.flat().find((one) => one.item.id === name);
  if (child === undefined || child.item.hash !== item) return false;
  if (child.outcome === null) return child.frame !== null;
  return child.outcome.split(".")[0] === "merged" || !child.judged;
}

/** Unmerged descendants that are not continued; they may lose their branches. */
function discardedNodes(
  { session }: RunContext,
  node: Node,
  kept: ReadonlySet<string>,
): readonly (readonly [string, NodeEntry])[] {
  const below = `${node.id}--`;
  return Object.entries(session.view.nodes).filter(([id, { base, head }]) => {
    if (!id.startsWith(below) || head === base) return false;
    const child = `${below}${id.slice(below.length).split("--")[0] ?? ""}`;
    return !kept.has(child);
  });
}

/** Rescues the work under the node's own name. */
async function rescueNode(
  { context, command, work }: ScaffoldChange,
  id: string,
  { head }: NodeEntry,
): Promise<readonly RunEvent[]> {
  const { repository, run, session } = context;
  const reason = `${id} was changed or dropped by the scaffold ${work.scaffoldCommit}`;
  const dateMs = Date.parse(session.view.commands[command.key]?.at ?? "");
  const { key } = command;
  const kept = await rescue(repository, { run, key, node: id, reason, work: { commit: head }, dateMs });
  if (kept === null || session.view.rescued.some(({ ref }) => ref === kept.ref)) return [];
  return [{ type: "work.rescued", key, ref: kept.ref, commit: kept.commit, reason }];
}

interface NewChild {
  readonly spec: ChildSpec;
  readonly id: string;
  readonly item: string;
}

async function childBegan(
  { context, work }: ScaffoldChange,
  { spec, id, item }: NewChild,
): Promise<RunEvent> {
  const { payloads } = context;
  const parent: ParentContext = {
    interface: await interfaceText(context, work),
    assignedCriteria: spec.acceptanceCriteria.map((one) => `${one.id}: ${one.text}`).join("\n"),
  };
  return {
    type: "node.began",
    node: id,
    item,
    spec: await payloads.put(canonicalJson(spec)),
    parentContext: await payloads.put(canonicalJson(parent)),
    base: work.scaffoldCommit,
  };
}

/** Texts of `interfaceFile` and every `interfaces[].path` in the scaffold. */
async function interfaceText({ repository }: RunContext, work: InitWork): Promise<string> {
  const paths = [work.interfaceFile, ...(work.interfaces ?? []).map(({ path }) => path)].map(cleanPath);
  const project = await projectAt(repository, work.scaffoldCommit);
  const texts = await project.texts(paths);
  return [...new Set(paths)].map((path) => `${path}:\n${(texts.get(path) ?? "").trimEnd()}`).join("\n\n");
}
