/** The live tree of a graph as a Mermaid flowchart: id, state, attempt and branch of each node (V3-95). Pure. */
import { flattenNodes, stateText, type NodeStatus } from "./tree-status.ts";

export function treeMermaid(nodes: readonly NodeStatus[]): string {
  const all = flattenNodes(nodes);
  const ids = new Map(all.map((node, index) => [node.nodeId, `n${index}`]));
  const boxes = all.map((node) => `${ids.get(node.nodeId) ?? ""}["${label(node)}"]:::${kind(node)}`);
  const arrows = all.flatMap((node) =>
    node.nodes.map((child) => `${ids.get(node.nodeId) ?? ""} --> ${ids.get(child.nodeId) ?? ""}`),
  );
  return ["flowchart TD", ...[...boxes, ...arrows, ...styles].map((line) => `  ${line}`)].join("\n");
}

function label(node: NodeStatus): string {
  const { nodeId, attempt, branch } = node;
  const parts = [nodeId, stateText(node), attempt === null ? "no attempt" : `attempt ${attempt}`, branch];
  return parts.map(escapeMermaid).join("<br/>");
}

/** Escapes quotes and angle brackets, which have a meaning in Mermaid. */
function escapeMermaid(text: string): string {
  return text.replaceAll('"', "#quot;").replaceAll("<", "#lt;").replaceAll(">", "#gt;");
}

function kind({ state, waitsFor, critical }: NodeStatus): string {
  if (state === "merged" || state === "complete") return "done";
  if (/^(failed|halted|cancelled|stuck|rejected)\b/u.test(state)) return "failed";
  if (critical) return "critical";
  return waitsFor.length > 0 ? "waiting" : "working";
}

const styles = [
  "classDef done fill:#d4edda,stroke:#28a745,color:#111",
  "classDef failed fill:#f8d7da,stroke:#dc3545,color:#111",
  "classDef critical fill:#fff3cd,stroke:#d39e00,color:#111,stroke-width:3px",
  "classDef waiting fill:#eeeeee,stroke:#888888,color:#111",
  "classDef working fill:#d1ecf1,stroke:#17a2b8,color:#111",
];
