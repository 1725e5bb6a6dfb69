/** The nodes of a graph, folded from their facts: part of the run's read model. Pure. */
import { assertNever } from "../lib/assert-never.ts";
import type { NodeExit } from "./node-events.ts";
import type { EventOf, RunEvent } from "./run-event.ts";

export type NodeEvent = Extract<RunEvent, { type: `node.${string}` }>;

export interface NodeEntry {
  readonly node: string;
  /** From its newest `node.began`. */
  readonly item: string;
  readonly spec: string;
  /** Source file of a spec that a person amended. */
  readonly specFile?: EventOf<"node.respecified">["file"];
  readonly parentContext: string | null;
  /** Commit of the parent's branch that its work is based on. */
  readonly base: string;
  /** Head of its own branch. */
  readonly head: string;
  /** The newest payload address of each exit. */
  readonly accepted: Readonly<Partial<Record<NodeExit, string>>>;
  /** Commits of the accepted scaffold, and of the newest accepted tests on top of it. */
  readonly scaffold: string | null;
  readonly tests: string | null;
  readonly locked: EventOf<"node.locked"> | null;
  /** Null once its branch has moved after it. */
  readonly candidate: EventOf<"node.candidate"> | null;
  /** Its head at its last merge into its parent; later commits are not merged yet. Null after a rebase. */
  readonly published: string | null;
  /** Its newest merge into its parent; for the root, the result of the run. */
  readonly publication: EventOf<"node.merged"> | null;
  /** Children on its branch, in merge order. */
  readonly merged: readonly EventOf<"node.merged">[];
  /** Merged children that have left the branch since, each with its merge commit; they must restart. */
  readonly left?: Readonly<Record<string, string>>;
  /** Merge requests started for it, including before a respawn. */
  readonly requests: readonly EventOf<"node.request_begun">[];
  readonly memory: { readonly tdd: string | null; readonly impl: string | null };
}

export type Nodes = Readonly<Record<string, NodeEntry>>;

/** The merge that is the run's result, or null. */
export function rootMerge(nodes: Nodes): EventOf<"node.merged"> | null {
  return Object.values(nodes)[0]?.publication ?? null;
}

export function foldNode(nodes: Nodes, event: NodeEvent): Nodes {
  if (event.type === "node.began") return { ...nodes, [event.node]: newEntry(event, nodes[event.node]) };
  const all =
    event.type === "node.merged" ? { ...nodes, ...publishChild(nodes, event) } : detachChildren(nodes, event);
  const entry = all[event.node];
  // The root's merge has node `base`, which is not an entry.
  return entry === undefined ? all : { ...all, [event.node]: applyEvent(entry, event) };
}

/** Updates the merged child. */
function publishChild(nodes: Nodes, publication: EventOf<"node.merged">): Nodes {
  const { child } = publication;
  const entry = nodes[child];
  if (entry === undefined) return {};
  return { [child]: { ...entry, candidate: null, published: entry.head, publication } };
}

/** Detaches children that are not on their parent's new base. A child that was respawned since its merge is skipped. */
function detachChildren(nodes: Nodes, event: NodeEvent): Nodes {
  const entry = nodes[event.node];
  if (event.type !== "node.moved" || event.without === undefined || entry === undefined) return nodes;
  const { without } = event;
  const gone = without.flatMap((id) => {
    const commit = nodes[id]?.publication?.commit;
    return commit === undefined ? [] : [[id, commit] as const];
  });
  const merged = entry.merged.filter(({ child }) => !without.includes(child));
  return {
    ...nodes,
    [event.node]: { ...entry, merged, left: { ...entry.left, ...Object.fromEntries(gone) } },
  };
}

function newEntry(
  { node, item, spec, parentContext, base }: EventOf<"node.began">,
  before: NodeEntry | undefined,
): NodeEntry {
  return {
    node,
    item,
    spec,
    parentContext,
    base,
    head: base,
    accepted: {},
    scaffold: null,
    tests: null,
    locked: null,
    candidate: null,
    published: null,
    publication: null,
    merged: [],
    requests: before?.requests ?? [],
    memory: { tdd: null, impl: null },
  };
}

function applyEvent(entry: NodeEntry, event: Exclude<NodeEvent, { type: "node.began" }>): NodeEntry {
  switch (event.type) {
    case "node.moved": {
      // The candidate no longer matches the branch.
      const moved = { ...entry, head: event.commit, base: event.base, candidate: null };
      const { by } = event;
      switch (by) {
        case "scaffold":
          return { ...moved, scaffold: event.commit, tests: null };
        case "rebase":
          return { ...onNewBase(moved), ...rebasedCommits(moved, event) };
        case "reset":
          return event.base === entry.base ? moved : onNewBase(moved);
        case "tests":
        case "impl":
        case "child":
          return moved;
        default:
          return assertNever(by);
      }
    }
    case "node.accepted":
      return { ...entry, accepted: { ...entry.accepted, [event.exit]: event.ref } };
    case "node.tested":
      return { ...entry, tests: event.commit };
    case "node.locked":
      return { ...entry, locked: event };
    case "node.candidate":
      return { ...entry, candidate: event };
    case "node.merged":
      return { ...entry, merged: [...entry.merged.filter(({ child }) => child !== event.child), event] };
    case "node.remembered":
      return { ...entry, memory: { ...entry.memory, [event.memory]: event.ref } };
    case "node.respecified":
      return { ...entry, spec: event.spec, specFile: event.file };
    case "node.request_begun":
      return { ...entry, requests: [...entry.requests, event] };
    case "node.request_ended":
    case "node.kept":
    case "node.aborted":
      return entry;
  }
}

/** Its base now contains everything that its parent has. */
function onNewBase(entry: NodeEntry): NodeEntry {
  return { ...entry, published: null };
}

/** RED is still measured on the scaffold, which was rebased too. */
function rebasedCommits(
  { scaffold, tests }: NodeEntry,
  moved: EventOf<"node.moved">,
): Pick<NodeEntry, "scaffold" | "tests"> {
  return { scaffold: moved.scaffold ?? scaffold, tests: moved.tests ?? tests };
}
