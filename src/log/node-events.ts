import * as z from "zod";
import { by } from "./by.ts";

/** Id of a graph's node: the spec ids from the root down to it, joined by `--` (V3-58). */
const node = z.string();
const hashes = z.record(z.string(), z.string());

/** The exits of the five nodes that a gate may accept, by the seed's names. */
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

/** Facts about the nodes of a graph, folded by `nodes.ts`. Payloads are given by address. */
export const nodeEvents = [
  /** The root at the run's start; a child when its parent's scaffold is accepted, and again when it is respawned. */
  z.object({
    type: z.literal("node.began"),
    node,
    /** Hash of its ChildSpec and of the interfaces between the children; empty for the root. */
    item: z.string(),
    spec: z.string(),
    parentContext: z.string().nullable(),
    /** Commit of the parent's branch that its work is based on. */
    base: z.string(),
  }),
  /** Its branch moved. `base` is the commit of the parent's branch that its work is based on. */
  z.object({
    type: z.literal("node.moved"),
    node,
    by: z.enum(["scaffold", "tests", "impl", "child", "rebase", "reset"]),
    commit: z.string(),
    base: z.string(),
    /** For a rebase: the new commits of its scaffold, and of its tests on top. */
    scaffold: z.string().optional(),
    tests: z.string().optional(),
    /** For a reset: merged children that could not be rebased onto the new base. */
    without: z.array(z.string()).optional(),
  }),
  /** An exit that a gate accepted or the runtime derived, with the runtime's own values (V3-42). */
  z.object({ type: z.literal("node.accepted"), node, exit: NodeExit, ref: z.string() }),
  /** The accepted tests, on the scaffold only: the next batch is written on top of them (V3-32). */
  z.object({ type: z.literal("node.tested"), node, commit: z.string() }),
  /** Tests that must pass and files that must not change from now on. */
  z.object({
    type: z.literal("node.locked"),
    node,
    commit: z.string(),
    files: hashes,
    required: z.array(z.string()),
  }),
  /** A squash onto the parent's branch, verified but not published yet. */
  z.object({ type: z.literal("node.candidate"), node, commit: z.string(), onto: z.string() }),
  /** The candidate of `child` became the head of `node`'s branch; `node` is `base` for the root's merge. */
  z.object({
    type: z.literal("node.merged"),
    node,
    child: z.string(),
    commit: z.string(),
    event: z.string(),
    /** Of the child and its descendants: later merges prove them again. */
    files: hashes,
    required: z.array(z.string()),
  }),
  /** It ended without a merge; its last work is kept at `path` until `mettle clean` (V3-66). */
  z.object({ type: z.literal("node.kept"), node, path: z.string(), commit: z.string() }),
  /** A merge request is about to be opened: its target and the commits to push by branch, before any push (V3-94). */
  z.object({
    type: z.literal("node.request_begun"),
    node,
    tool: z.enum(["gh", "glab"]),
    remote: z.string(),
    branch: z.string(),
    target: z.string(),
    pushed: z.record(z.string(), z.string()),
  }),
  /** `found`: an earlier process opened it. */
  z.object({
    type: z.literal("node.request_ended"),
    node,
    outcome: z.enum(["opened", "found", "failed"]),
    url: z.string().nullable(),
    why: z.string(),
  }),
  /** A node's private memory was updated, TDDMem or ImplMem (V3-53 to 55). */
  z.object({ type: z.literal("node.remembered"), node, memory: z.enum(["tdd", "impl"]), ref: z.string() }),
  /** A person amended the root's spec: the addresses of both versions, and the source file (V3-93). */
  z.object({
    type: z.literal("node.respecified"),
    node,
    before: z.string(),
    spec: z.string(),
    file: z.object({ path: z.string(), hash: z.string() }).optional(),
    by: by.optional(),
  }),
  /** A person aborted it and all its descendants (V3-71). */
  z.object({
    type: z.literal("node.aborted"),
    node,
    frame: z.string(),
    reason: z.string(),
    by: by.optional(),
  }),
] as const;
