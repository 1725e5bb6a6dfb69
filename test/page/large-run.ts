/** A run of a graph with many nodes, attempts and texts, as its journal would have it. */
import type { EvidenceRecord } from "../../src/evidence/record.ts";
import type { Recorded, RunEvent } from "../../src/log/run-event.ts";
import { emptyView, foldView } from "../../src/log/run-view.ts";
import type { RunFacts } from "../../src/views/model/facts.ts";
import type { NodeStatus } from "../../src/views/tree/tree-status.ts";

export const started: Extract<RunEvent, { type: "run.started" }> = {
  type: "run.started",
  version: 1,
  task: "A large tree",
  protocol: "graph",
  protocolRef: "",
  templatesRef: "",
  settingsRef: "",
  repository: "shop",
  base: "b".repeat(40),
  branch: "main",
  dirty: false,
  folder: "",
  agents: {},
  reviewers: [],
  preapproved: [],
  demo: false,
};

/** @param nodes children of the root; each has ten events, a record of `tests` tests, and a refused attempt */
export function largeRun(nodes: number, tests: number): RunFacts {
  const base = { counters: {}, round: 0, causes: [], state: "impl", phase: "Impl" };
  const facts: RunEvent[] = [started, nodeBegan("root")];
  const records = new Map<string, EvidenceRecord>();
  issue(facts, {
    ...base,
    type: "dispatch",
    key: "scaffold#1",
    path: "scaffold",
    frame: "main",
    role: "scaffold",
  });
  for (let index = 0; index < nodes; index++) {
    const item = `n${index}`;
    const frame = `children/${item}`;
    const gate = `${frame}/green_gate#1`;
    const id = `large/${index + 1}`;
    issue(facts, {
      ...base,
      type: "spawn",
      key: `${frame}#1`,
      path: frame,
      frame: "main",
      child: frame,
      item,
    });
    facts.push(nodeBegan(`root--${item}`));
    issue(facts, {
      ...base,
      type: "dispatch",
      key: `${frame}/impl#1`,
      path: `${frame}/impl`,
      frame,
      role: "impl",
    });
    facts.push({ ...dispatched, key: `${frame}/impl#1`, node: `root--${item}` });
    facts.push({ type: "agent.used", key: `${frame}/impl#1`, context: null, tokens: 1000, costUsd: 0.01 });
    facts.push({ type: "result", key: `${frame}/impl#1`, outcome: "TestsPassed", text: "done" });
    issue(facts, {
      ...base,
      type: "check",
      key: gate,
      path: `${frame}/green_gate`,
      frame,
      gate: "node_green",
    });
    facts.push({ type: "record.written", ...recordFacts, id, key: gate, failing: [] });
    facts.push({
      type: "gate.judged",
      key: gate,
      gate: "node_green",
      verdict: "fail",
      ref: "",
      reasons: ["required: 1 failed"],
      findings: [],
    });
    facts.push({ type: "result", key: gate, outcome: "fail" });
    records.set(id, record(id, tests));
  }
  const at = (index: number) => new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString();
  const events = facts.map((event, index): Recorded => ({ ...event, seq: index + 1, at: at(index) }));
  const view = foldView(emptyView("large"), events);
  return { view, events, owner: null, records, nodes: [tree(nodes)] };
}

function issue(facts: RunEvent[], command: { readonly key: string } & Record<string, unknown>): void {
  facts.push({ type: "command.issued", key: command.key, command });
}

function nodeBegan(node: string): RunEvent {
  return { type: "node.began", node, item: "", spec: "", parentContext: null, base: "" };
}

const dispatched = {
  type: "dispatch.started",
  role: "impl",
  agent: "scripted",
  vendor: "scripted",
  conversation: "",
  resumed: false,
  workspace: "",
  isolation: "none",
  prompt: "sha256:1",
} as const;

const recordFacts = {
  phase: "Impl",
  purpose: "green.tests",
  ref: "",
  envelope: "",
  verdict: "fail",
  exitCode: 1,
  commit: null,
  tree: null,
} as const;

/** A record of a run of tests. */
export function record(id: string, tests: number): EvidenceRecord {
  return {
    version: 1,
    id,
    run: "large",
    key: "",
    phase: "Impl",
    purpose: "green.tests",
    title: null,
    argv: ["node", "--test"],
    cwd: "/",
    commit: null,
    tree: null,
    hashes: { protected: null, config: null, lockfile: null },
    env: { names: [], hash: "" },
    runner: null,
    isolation: "none",
    started: "2026-01-01T00:00:00.000Z",
    ended: "2026-01-01T00:00:01.000Z",
    offsetMinutes: 0,
    exitCode: 1,
    signal: null,
    timedOut: false,
    lastLines: Array.from({ length: 40 }, (_, line) => `${line} ${"x".repeat(2000)}`),
    output: "sha256:1",
    tests: Array.from({ length: tests }, (_, test) => ({
      id: `test/${test}.test.js::works`,
      status: "passed",
      kind: null,
      message: "",
      frames: [],
    })),
    required: [],
    observed: [],
    controls: {},
    verdict: "fail",
    reasons: [],
    inner: [],
    previous: null,
  };
}

function tree(nodes: number): NodeStatus {
  const node = (nodeId: string, depth: number, children: readonly NodeStatus[]): NodeStatus => ({
    nodeId,
    depth,
    state: depth === 0 ? "impl" : "failed.stuck",
    mode: null,
    attempt: "1/5",
    waitsFor: [],
    branch: `mettle/large/${nodeId}`,
    criteria: { covered: 0, of: 1 },
    lastExit: null,
    since: null,
    failure: null,
    critical: depth === 0,
    nodes: children,
  });
  return node(
    "root",
    0,
    Array.from({ length: nodes }, (_, index) => node(`root--n${index}`, 1, [])),
  );
}
