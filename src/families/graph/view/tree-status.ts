/** The status of every node, from the kernel's frames, the node facts and the accepted payloads (V3-74). */
import { resolve } from "node:path";
import { sha256 } from "../../../lib/hash.ts";
import { countersOf, openCommands } from "../../../kernel/inspect.ts";
import type { RunState } from "../../../kernel/state.ts";
import { MergeFailed } from "../../../protocol/graph-types/feedback.ts";
import { Spec } from "../../../protocol/graph-types/shared.ts";
import { groupBy } from "../../../lib/lists.ts";
import type { NodeEntry } from "../../../log/nodes.ts";
import type { CommandEntry } from "../../../log/commands.ts";
import { entriesByFrame } from "../history.ts";
import type { NodeStatus, TreeStatus } from "../../../views/tree/tree-status.ts";
import type { RunContext } from "../../../run/context.ts";
import { coverageOf } from "../decision/coverage.ts";
import { parentIdOf } from "../../../log/node-id.ts";
import { wordOf } from "../../../protocol/routes.ts";
import { nodeBranchName, rootId } from "../node.ts";
import { acceptedOf, readStored } from "../payloads.ts";
import { mostUrgent } from "../schedule.ts";
import { nodesOfFrames } from "../../../log/node-frames.ts";
import { nodeState, type FrameNow } from "../node-state.ts";
import { readPlainFile } from "../../../lib/plain-file.ts";

interface History {
  readonly frame: string;
  readonly entries: readonly CommandEntry[];
}

/** Computed once for all nodes. */
interface Tree {
  readonly context: RunContext;
  /** Commands of each node's newest frame, oldest first. */
  readonly commands: ReadonlyMap<string, History>;
  /** Ids of all nodes that ever began, by the id of their parent. */
  readonly children: ReadonlyMap<string | null, readonly string[]>;
  readonly critical: ReadonlySet<string>;
  readonly isFull: boolean;
}

interface Member {
  readonly id: string;
  readonly depth: number;
  /** Null before it starts, after it was dropped, and after the run ended. */
  readonly frame: FrameNow | null;
  /** A later scaffold of its parent dropped it. */
  readonly isDropped: boolean;
}

/** @param owner process that drives the run; null if none does, so no agent works */
export async function treeStatus(context: RunContext, owner: number | null): Promise<TreeStatus> {
  const { session, settings } = context;
  const { state, view } = session;
  const id = rootId(context);
  const used =
    owner === null
      ? 0
      : openCommands(state).filter(({ key, type }) => type === "dispatch" && key in view.dispatches).length;
  const slots = { used, of: settings.graph.parallel };
  const root = Object.values(state.frames).find(({ parent }) => parent === null) ?? null;
  if (id === null || root === null) return { nodes: [], slots, spec_changed: false };
  const tree: Tree = {
    context,
    commands: byNode(context),
    children: groupBy(Object.keys(view.nodes), parentIdOf),
    critical: criticalFrames(state),
    isFull: used >= slots.of,
  };
  const nodes = [await nodeStatus(tree, { id, depth: 0, frame: root, isDropped: false })];
  return { nodes, slots, spec_changed: await specChanged(context) };
}

async function nodeStatus(tree: Tree, member: Member): Promise<NodeStatus> {
  const { context, commands } = tree;
  const { id, depth, frame, isDropped } = member;
  const { session, run } = context;
  const { view, state } = session;
  const entry = view.nodes[id] ?? null;
  const history = commands.get(id) ?? { frame: "", entries: [] };
  const failure = await failureOf(context, entry);
  const place =
    frame === null
      ? { state: stateWithoutFrame(entry, { isDropped, failure }), mode: null, key: null, waitsFor: [] }
      : nodeState(state, { id, frame });
  const waitsForSlot = tree.isFull && place.key !== null && hasNotStarted(context, place.key);
  return {
    nodeId: id,
    depth,
    state: place.state,
    mode: place.mode,
    attempt: attemptOf(context, frame, history),
    waitsFor: [...place.waitsFor, ...(waitsForSlot ? ["a free slot"] : [])],
    branch: nodeBranchName(run, id),
    criteria: await criteriaOf(context, entry, { frame: history.frame, id, depth }),
    lastExit: lastExit(history),
    since: sinceOf(context, place.key, history),
    failure: place.state.startsWith("failed") ? failure : null,
    critical: frame !== null && tree.critical.has(frame.id),
    nodes: await Promise.all(members(tree, member).map((child) => nodeStatus(tree, child))),
  };
}

/** The kernel has no frame for a dropped node, nor for any node of an ended run; the facts show how it ended. */
function stateWithoutFrame(
  entry: NodeEntry | null,
  { isDropped, failure }: { readonly isDropped: boolean; readonly failure: NodeStatus["failure"] },
): string {
  if (entry === null) return "queued";
  if (isDropped) return "cancelled";
  if (entry.publication !== null) return "merged";
  return failure === null ? "cancelled" : (endings[failure.reason] ?? "failed.agent");
}

/** By the reason that the parent received. */
const endings: Readonly<Record<string, string>> = {
  Stuck: "failed.stuck",
  Rejected: "failed.rejected",
  RejectedByParent: "failed.rejected_by_parent",
  Aborted: "failed.aborted",
};

function attemptOf({ session }: RunContext, frame: FrameNow | null, { entries }: History): string | null {
  const count =
    frame === null
      ? entries.at(-1)?.command.counters["attempt"]
      : countersOf(session.protocol, session.state, frame.id)["attempt"];
  return count === undefined ? null : `${count.value}${count.limit === null ? "" : `/${count.limit}`}`;
}

/** The children of the newest scaffold in its order, then those of earlier scaffolds. */
function members({ context, children }: Tree, { id, depth, frame }: Member): readonly Member[] {
  const { state, view } = context.session;
  const present = Object.values(frame?.children ?? {})
    .flat()
    .map((child): Member => ({
      id: `${id}--${child.item.id}`,
      depth: depth + 1,
      frame: (child.frame === null ? null : state.frames[child.frame]) ?? null,
      isDropped: false,
    }));
  const isDropped = frame !== null && view.ended === null;
  const others = (children.get(id) ?? [])
    .filter((other) => !present.some((member) => member.id === other))
    .map((other): Member => ({ id: other, depth: depth + 1, frame: null, isDropped }));
  return [...present, ...others];
}

function byNode({ session }: RunContext): ReadonlyMap<string, History> {
  const entries = entriesByFrame(session.view);
  const frames = nodesOfFrames(session.view);
  return new Map([...frames].map(([frame, id]) => [id, { frame, entries: entries.get(frame) ?? [] }]));
}

/** The frame of the most urgent command and its ancestors. */
function criticalFrames(state: RunState): ReadonlySet<string> {
  const found = new Set<string>();
  let frame = mostUrgent(openCommands(state), state.frames)?.frame;
  while (frame !== undefined) {
    found.add(frame);
    frame = state.frames[frame]?.parent?.frame;
  }
  return found;
}

function hasNotStarted({ session }: RunContext, key: string): boolean {
  const { commands, dispatches } = session.view;
  return commands[key]?.command.type === "dispatch" && !(key in dispatches);
}

async function criteriaOf(
  context: RunContext,
  entry: NodeEntry | null,
  at: { readonly frame: string; readonly id: string; readonly depth: number },
): Promise<NodeStatus["criteria"]> {
  if (entry === null) return { covered: 0, of: 0 };
  const { acceptanceCriteria } = await readStored(context, entry.spec, Spec);
  const { criteriaMissing } = await coverageOf(context, { ...at, parent: null, entry });
  return { covered: acceptanceCriteria.length - criteriaMissing.length, of: acceptanceCriteria.length };
}

/** In the specification's names. A result that the runtime settled itself counts as the exit that it replaces. */
function lastExit({ entries }: History): string | null {
  const exits = entries.flatMap(({ command, result }) => {
    if (result === null) return [];
    const word = wordOf(result.outcome);
    if (command.type === "dispatch") return [word];
    if (command.type === "rebase" && word !== "repair" && word !== "inconclusive") return [word];
    return command.type === "merge" && word === "rejected" ? ["MergeRejected"] : [];
  });
  return exits.at(-1) ?? null;
}

function sinceOf({ session }: RunContext, key: string | null, { entries }: History): string | null {
  if (key !== null) return session.view.commands[key]?.at ?? null;
  return entries.findLast(({ result }) => result !== null)?.result?.at ?? null;
}

async function failureOf(context: RunContext, entry: NodeEntry | null): Promise<NodeStatus["failure"]> {
  const failed = entry && (await acceptedOf(context, { entry, exit: "MergeFailed", type: MergeFailed }));
  return failed ? { reason: failed.reason, details: failed.details } : null;
}

/** A later edit has no effect, but is reported to the person (V3-93). A missing file counts as changed. */
async function specChanged({ started, repository, session }: RunContext): Promise<boolean> {
  const [root] = Object.values(session.view.nodes);
  const specFile = root?.specFile ?? started.specFile;
  if (specFile === undefined) return false;
  const text = await readPlainFile(resolve(repository.root, specFile.path));
  return text === null || sha256(text) !== specFile.hash;
}
