import { expect, test } from "vitest";
import type { DispatchCommand } from "../kernel/command.ts";
import { dispatchOf } from "../kernel/fixtures/dispatch.ts";
import { emptyView, foldView } from "../log/run-view.ts";
import { treeLine } from "./tree/tree-line.ts";
import { treeMermaid } from "./tree/tree-mermaid.ts";
import type { NodeStatus } from "./tree/tree-status.ts";
import { treeText } from "./tree/tree-text.ts";
import { treeScreen } from "./tree/tree-watch.ts";

const leaf: NodeStatus = {
  nodeId: "shop--cart",
  depth: 1,
  state: "impl",
  mode: null,
  attempt: "2/5",
  waitsFor: [],
  branch: "mettle/r1/shop--cart",
  criteria: { covered: 0, of: 2 },
  lastExit: "RequestRetry",
  since: "2026-01-01T00:00:10.000Z",
  failure: null,
  critical: true,
  nodes: [],
};
const failed: NodeStatus = {
  ...leaf,
  nodeId: "shop--tax",
  state: "failed.stuck",
  critical: false,
  failure: { reason: "Stuck", details: "rounding\u001b[31m\nis open" },
};
const root: NodeStatus = {
  ...leaf,
  nodeId: "shop",
  depth: 0,
  state: "held",
  attempt: "1/5",
  waitsFor: ["child cart", "child tax"],
  branch: "mettle/r1/shop",
  lastExit: "InitWork",
  nodes: [leaf, failed],
};
const tree = { nodes: [root], slots: { used: 1, of: 4 }, spec_changed: true };
const watched = {
  run: "r1",
  task: "A shop",
  status: "running",
  startedAt: "2026-01-01T00:00:00.000Z",
  nowMs: Date.parse("2026-01-01T00:01:15.000Z"),
};

test("the tree with branches, what is waited for, and what a stuck child said, without control of the terminal", () => {
  expect(treeText(tree)).toEqual([
    "agents at work: 1 of 4",
    "spec changed since start",
    "",
    "shop           Impl is held  attempt 1/5  criteria 0/2  after InitWork",
    "│  mettle/r1/shop, waits for child cart, child tax",
    "├─ shop--cart  Impl works    attempt 2/5  criteria 0/2  after RequestRetry",
    "│     mettle/r1/shop--cart",
    "└─ shop--tax   STUCK         attempt 2/5  criteria 0/2  after RequestRetry",
    "      mettle/r1/shop--cart",
    "      Stuck: rounding is open",
  ]);
});

test("a screen marks the critical path, tells how long nodes have been where they are, and keeps to its size", () => {
  expect(treeScreen(tree, watched, { columns: 60, rows: 24 })).toEqual([
    "run r1: A shop",
    "running · 1m 15s · agents 1/4 · 2 nodes open · ▸ critical p…",
    "",
    "▸ shop           Impl is held  attempt 1/5  1m 05s  waits f…",
    "▸ ├─ shop--cart  Impl works    attempt 2/5  1m 05s",
    "  └─ shop--tax   STUCK         attempt 2/5",
  ]);
  expect(treeScreen(tree, watched, { columns: 60, rows: 6 }).at(-1)).toBe(
    "  … and 2 more; `mettle status` shows all",
  );
});

test("a node's words are no marks of Mermaid's", () => {
  const drawn = treeMermaid([{ ...root, nodeId: 'a"<b>', nodes: [failed] }]);
  expect(drawn).toContain(
    'n0["a#quot;#lt;b#gt;<br/>Impl is held<br/>attempt 1/5<br/>mettle/r1/shop"]:::critical',
  );
  expect(drawn).toContain("n0 --> n1");
  expect(drawn).toMatch(/n1\[.*\]:::failed/u);
});

test("the live line of a graph names the nodes at work, and how many more where the terminal is narrow", () => {
  const command = (key: string, phase: string): DispatchCommand =>
    dispatchOf("", "", { key, phase, reports: [] });
  const at = "2026-01-01T00:00:00.000Z";
  const view = foldView(emptyView("r1"), [
    { type: "node.began", node: "shop", item: "", spec: "", parentContext: null, base: "", seq: 1, at },
    { type: "command.issued", key: "a", command: command("a", "TDD"), seq: 2, at },
    { type: "command.issued", key: "b", command: command("b", "Impl"), seq: 3, at },
  ]);
  expect(treeLine(view, Date.parse(at) + 5000, 80)).toBe("shop TDD 5s · shop Impl 5s");
  expect(treeLine(view, Date.parse(at) + 5000, 25)).toBe("shop TDD 5s · and 1 more");
  expect(treeLine(emptyView("r1"), 0, 80)).toBeNull();
});
