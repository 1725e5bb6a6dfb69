/** What a person is told of one node of a graph, and of the tree as a whole. */
export interface NodeStatus {
  readonly nodeId: string;
  /** 0 for the root. */
  readonly depth: number;
  /** Where it stands: a state of the protocol, `held` while Impl waits and nothing of its own works, or how it ended. */
  readonly state: string;
  /** Of TDD: WriteTests or ReviewImpl. */
  readonly mode: string | null;
  /** Of Impl: `2/5`. */
  readonly attempt: string | null;
  /** `TDD.TestsReady`, `child b`, `an answer`. */
  readonly waitsFor: readonly string[];
  readonly branch: string;
  readonly criteria: { readonly covered: number; readonly of: number };
  readonly lastExit: string | null;
  /** Since when it stands there. */
  readonly since: string | null;
  /** Of a node that ended without a merge. */
  readonly failure: { readonly reason: string; readonly details: string } | null;
  /** Most of what is still to be done waits for it. */
  readonly critical: boolean;
  readonly nodes: readonly NodeStatus[];
}

export interface TreeStatus {
  /** The root alone, which holds the others. */
  readonly nodes: readonly NodeStatus[];
  /** Agents at work at once. */
  readonly slots: { readonly used: number; readonly of: number };
  /** The spec's file is another one than the run began with. */
  readonly spec_changed: boolean;
}

/** A node and all below it, each parent before its children. */
export function flat(nodes: readonly NodeStatus[]): readonly NodeStatus[] {
  return nodes.flatMap((node) => [node, ...flat(node.nodes)]);
}

/** Where a node stands, in words; a state that a protocol of one's own adds keeps its name. */
export function stateWords({ state }: Pick<NodeStatus, "state">): string {
  return words[state] ?? state.replaceAll("_", " ");
}

const words: Readonly<Record<string, string>> = {
  queued: "not begun",
  scaffold: "Scaffold works",
  scaffold_gate: "scaffold is checked",
  clarify: "asks",
  write_tests: "TDD WriteTests",
  tests_gate: "tests are checked",
  tests_stand: "disputes a test",
  disputed: "disputes a test",
  contracts: "contracts are checked",
  held: "Impl is held",
  impl: "Impl works",
  green_gate: "work is checked",
  review: "TDD ReviewImpl",
  candidate: "squash is checked",
  judge: "parent judges",
  merger: "Merger works",
  publish: "is published",
  rebase: "is rebased",
  rebaser: "Rebaser works",
  rebase_gate: "rebase is checked",
  scaffold_paused: "check not executed",
  tdd_paused: "check not executed",
  impl_paused: "check not executed",
  merger_paused: "check not executed",
  judge_paused: "check not executed",
  rebaser_paused: "check not executed",
  "failed.stuck": "STUCK",
  "failed.rejected": "rejected",
  "failed.rejected_by_parent": "rejected by parent",
  "failed.aborted": "aborted",
  "failed.agent": "agent failed",
  stuck: "STUCK",
};
