/** The nodes of a graph as their facts tell them: part of the run's read model. Pure. */
import { assertNever } from "../lib/assert-never.ts";
import type { NodeExit } from "./node-events.ts";
import type { EventOf, RunEvent } from "./run-event.ts";

export type NodeEvent = Extract<RunEvent, { type: `node.${string}` }>;

export interface NodeEntry {
  readonly node: string;
  /** As its newest `node.began` said. */
  readonly item: string;
  readonly spec: string;
  /** Where a person amended it, the file it was read from. */
  readonly specFile?: EventOf<"node.respecified">["file"];
  readonly parentContext: string | null;
  /** Commit of the parent's branch under its own work, and the head of its own branch. */
  readonly base: string;
  readonly head: string;
  /** The newest address of each exit. */
  readonly accepted: Readonly<Partial<Record<NodeExit, string>>>;
  /** The accepted scaffold, and the newest accepted tests on top of it. */
  readonly scaffold: string | null;
  readonly tests: string | null;
  readonly locked: EventOf<"node.locked"> | null;
  /** While nothing of its own has come after it. */
  readonly candidate: EventOf<"node.candidate"> | null;
  /** Its head when it was last merged into its parent: what it has beyond that is not there yet. Null once it was rebased. */
  readonly published: string | null;
  /** Its newest merge into its parent; of the root, the result of the run. */
  readonly publication: EventOf<"node.merged"> | null;
  /** Children on its branch, in the order of their merges. */
  readonly merged: readonly EventOf<"node.merged">[];
  /** Children that were merged and have left the branch since, each with that merge: they have to begin anew. */
  readonly left?: Readonly<Record<string, string>>;
  /** Merge requests that were begun for it, also before it began anew. */
  readonly requests: readonly EventOf<"node.request_begun">[];
  readonly memory: { readonly tdd: string | null; readonly impl: string | null };
}

export type Nodes = Readonly<Record<string, NodeEntry>>;

/** The merge that is the run's result; null while there is none. */
export function rootMerge(nodes: Nodes): EventOf<"node.merged"> | null {
  return Object.values(nodes)[0]?.publication ?? null;
}

export function foldNode(nodes: Nodes, event: NodeEvent): Nodes {
  if (event.type === "node.began") return { ...nodes, [event.node]: began(event, nodes[event.node]) };
  const all = event.type === "node.merged" ? { ...nodes, ...published(nodes, event) } : parted(nodes, event);
  const entry = all[event.node];
  // The root's own merge is told of `base`, which is no node.
  return entry === undefined ? all : { ...all, [event.node]: changed(entry, event) };
}

/** The child's side of its merge. */
function published(nodes: Nodes, publication: EventOf<"node.merged">): Nodes {
  const { child } = publication;
  const entry = nodes[child];
  if (entry === undefined) return {};
  return { [child]: { ...entry, candidate: null, published: entry.head, publication } };
}

/** Children that are not on their parent's new base; one that has begun anew since it was merged is on its way already. */
function parted(nodes: Nodes, event: NodeEvent): Nodes {
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

function began(
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

function changed(entry: NodeEntry, event: Exclude<NodeEvent, { type: "node.began" }>): NodeEntry {
  switch (event.type) {
    case "node.moved": {
      // What was to be merged is no longer what the node has.
      const moved = { ...entry, head: event.commit, base: event.base, candidate: null };
      const { by } = event;
      switch (by) {
        case "scaffold":
          return { ...moved, scaffold: event.commit, tests: null };
        case "rebase":
          return { ...onNewBase(moved), ...replayed(moved, event) };
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

/** What its parent has is under it now. */
function onNewBase(entry: NodeEntry): NodeEntry {
  return { ...entry, published: null };
}

/** RED goes on being measured on the scaffold, which lies on the new base as well. */
function replayed(
  { scaffold, tests }: NodeEntry,
  moved: EventOf<"node.moved">,
): Pick<NodeEntry, "scaffold" | "tests"> {
  return { scaffold: moved.scaffold ?? scaffold, tests: moved.tests ?? tests };
}
