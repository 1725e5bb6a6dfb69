/** The status of one node of a graph. */
export interface NodeStatus {
  readonly nodeId: string;
  /** 0 for the root. */
  readonly depth: number;
  /** A state of the protocol, `held` while Impl waits and no other work of the node runs, or its outcome. */
  readonly state: string;
  /** For TDD: WriteTests or ReviewImpl. */
  readonly mode: string | null;
  /** For Impl: `2/5`. */
  readonly attempt: string | null;
  /** `TDD.TestsReady`, `child b`, `an answer`. */
  readonly waitsFor: readonly string[];
  readonly branch: string;
  readonly criteria: { readonly covered: number; readonly of: number };
  readonly lastExit: string | null;
  /** When it entered the state. */
  readonly since: string | null;
  /** For a node that ended without a merge. */
  readonly failure: { readonly reason: string; readonly details: string } | null;
  /** Whether it is on the critical path of the remaining work. */
  readonly critical: boolean;
  readonly nodes: readonly NodeStatus[];
}

export interface TreeStatus {
  /** Only the root, which contains the others. */
  readonly nodes: readonly NodeStatus[];
  /** Concurrent agents. */
  readonly slots: { readonly used: number; readonly of: number };
  /** Whether the spec file changed since the run's start. */
  readonly spec_changed: boolean;
}

/** All nodes of the trees, each parent before its children. */
export function flattenNodes(nodes: readonly NodeStatus[]): readonly NodeStatus[] {
  return nodes.flatMap((node) => [node, ...flattenNodes(node.nodes)]);
}

/** The state of a node as text; a state added by a custom protocol keeps its name. */
export function stateText({ state }: Pick<NodeStatus, "state">): string {
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
