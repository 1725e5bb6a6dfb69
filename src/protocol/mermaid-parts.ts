/** Shared parts of protocol drawings. */
import { assertNever } from "../lib/assert-never.ts";
import { nodeId, type Edge } from "./edges.ts";
import type { Machine, State } from "./machine.ts";

export interface Drawing {
  readonly drawn: readonly Edge[];
  readonly short: (id: string) => string;
}

export function box(id: string, label: string, inside: readonly string[]): readonly string[] {
  return [`subgraph ${id}[${quoted(label)}]`, ...indent(inside), "end"];
}

/** An ask is a hexagon, every other state a box. */
export function drawNode(id: string, state: State): string {
  const label = quoted(labelOf(state));
  return state.kind === "ask" ? `${id}{{${label}}}` : `${id}[${label}]`;
}

function labelOf(state: State): string {
  switch (state.kind) {
    case "dispatch":
      return `${state.name}: ${state.role}`;
    case "check":
    case "merge":
    case "rebase":
      return `${state.name}: ${state.kind} ${state.gate}`;
    case "ask":
      return `${state.name}: ${state.text}`;
    case "parallel":
      return `${state.name}: ${state.order}`;
    case "each":
      return `${state.name}: each ${state.items}`;
    case "end":
      return `${state.name}: end ${state.outcome}`;
    default:
      return assertNever(state);
  }
}

export function drawEnds(machine: Machine, prefix: string, { drawn, short }: Drawing): readonly string[] {
  const start = nodeId(machine, `${prefix}end `);
  const ends = new Set(drawn.flatMap(({ to }) => (to.startsWith(start) ? [to] : [])));
  return [...ends].map((id) => `${short(id)}([${quoted(id.slice(start.length))}])`);
}

export function indent(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `  ${line}`);
}

/** Quotes a label and escapes Mermaid's special characters. */
export function quoted(text: string): string {
  return `"${text.replaceAll("#", "#35;").replaceAll('"', "#quot;").replaceAll("<", "#lt;").replaceAll(">", "#gt;")}"`;
}
