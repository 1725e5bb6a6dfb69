import { z } from "zod";
import { by } from "./by.ts";

/** A node of a graph by its id: the spec ids from the root down to it, joined by `--` (V3-58). */
const node = z.string();
const hashes = z.record(z.string(), z.string());

/** The exits of the five nodes that a gate of the runtime may accept, by the seed's names. */
export const NodeExit = z.enum([
  "InitWork",
  "TestsReady",
  "TestsPassed",
  "Approved",
  "MergeComplete",
  "MergeRejected",
  "RebaseClean",
  "RebaseAdapted",
  "RebaseConflict",
  "MergeFailed",
]);
export type NodeExit = z.infer<typeof NodeExit>;

/** Facts of the nodes of a graph, folded by `views/nodes.ts`. Payloads are given by address. */
export const nodeEvents = [
  /** The root at the run's start, a child when its parent's scaffold is accepted; again when it is spawned anew. */
  z.object({
    type: z.literal("node.began"),
    node,
    /** Hash of its ChildSpec and of the interfaces between the children; empty for the root. */
    item: z.string(),
    spec: z.string(),
    parentContext: z.string().nullable(),
    /** Commit of the parent's branch that its own work begins on. */
    base: z.string(),
  }),
  /** Its branch moved. `base` is the commit of the parent's branch under its own work. */
  z.object({
    type: z.literal("node.moved"),
    node,
    by: z.enum(["scaffold", "tests", "impl", "child", "rebase", "reset"]),
    commit: z.string(),
    base: z.string(),
    /** Of a rebase: what its scaffold, and its tests on top of that, have become. */
    scaffold: z.string().optional(),
    tests: z.string().optional(),
    /** Of a reset: children that were merged and could not be laid on the new base. */
    without: z.array(z.string()).optional(),
  }),
  /** What a gate accepted or the runtime found, with the runtime's own values (V3-42). */
  z.object({ type: z.literal("node.accepted"), node, exit: NodeExit, ref: z.string() }),
  /** The accepted tests, on the scaffold alone: the next batch is written on top of them (V3-32). */
  z.object({ type: z.literal("node.tested"), node, commit: z.string() }),
  /** What must pass from now on, and what must not change. */
  z.object({
    type: z.literal("node.locked"),
    node,
    commit: z.string(),
    files: hashes,
    required: z.array(z.string()),
  }),
  /** A squash onto the parent's branch, verified and not published yet. */
  z.object({ type: z.literal("node.candidate"), node, commit: z.string(), onto: z.string() }),
  /** The candidate of `child` became the head of `node`'s branch; `node` is `base` for the root's own. */
  z.object({
    type: z.literal("node.merged"),
    node,
    child: z.string(),
    commit: z.string(),
    event: z.string(),
    /** Of the child and of everything below it: they are proved again with each merge that follows. */
    files: hashes,
    required: z.array(z.string()),
  }),
  /** It ended without a merge, and its last work lies there until `mettle clean` (V3-66). */
  z.object({ type: z.literal("node.kept"), node, path: z.string(), commit: z.string() }),
  /** What is about to be pushed for its merge request, by branch, and where that is opened; before any of it is done (V3-94). */
  z.object({
    type: z.literal("node.request_begun"),
    node,
    tool: z.enum(["gh", "glab"]),
    remote: z.string(),
    branch: z.string(),
    target: z.string(),
    pushed: z.record(z.string(), z.string()),
  }),
  /** `found`: an earlier process had opened it. */
  z.object({
    type: z.literal("node.request_ended"),
    node,
    outcome: z.enum(["opened", "found", "failed"]),
    url: z.string().nullable(),
    why: z.string(),
  }),
  /** A node's private memory, TDDMem or ImplMem (V3-53 to 55). */
  z.object({ type: z.literal("node.remembered"), node, memory: z.enum(["tdd", "impl"]), ref: z.string() }),
  /** A person amended the root's spec: the addresses of both, and the file it was read from (V3-93). */
  z.object({
    type: z.literal("node.respecified"),
    node,
    before: z.string(),
    spec: z.string(),
    file: z.object({ path: z.string(), hash: z.string() }).optional(),
    by: by.optional(),
  }),
  /** A person ended it, and with it everything below it (V3-71). */
  z.object({
    type: z.literal("node.aborted"),
    node,
    frame: z.string(),
    reason: z.string(),
    by: by.optional(),
  }),
] as const;
