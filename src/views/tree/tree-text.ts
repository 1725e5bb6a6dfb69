/** The tree of a graph as text: a line for each node, and below it its branch and what it waits for. Pure. */
import { safeLine } from "../../lib/safe-text.ts";
import { flattenNodes, stateText, type NodeStatus, type TreeStatus } from "./tree-status.ts";

/** A node's line. */
export interface TreeRow {
  readonly node: NodeStatus;
  /** The tree's guide lines and the id. */
  readonly name: string;
  /** The tree's guide lines for the text below. */
  readonly below: string;
}

export function treeText({ nodes, slots, spec_changed }: TreeStatus): readonly string[] {
  const table = columns(
    rows(nodes).map(({ node, name, below }) => ({
      cells: [name, stateText(node), attemptText(node), criteriaText(node), afterText(node)],
      notes: [branchText(node), ...failureText(node)].map((note) => `${below}${note}`),
    })),
  );
  return [
    ...(openNodes(nodes).length === 0 ? [] : [`agents at work: ${slots.used} of ${slots.of}`]),
    ...(spec_changed ? ["spec changed since start"] : []),
    "",
    ...table,
  ];
}

/** Without information that is only useful during the run. */
export function nodeTable(nodes: readonly NodeStatus[]): readonly string[] {
  return columns(
    rows(nodes).map(({ node, name }) => ({
      cells: [name, stateText(node), attemptText(node), criteriaText(node)],
      notes: [],
    })),
  );
}

export function rows(nodes: readonly NodeStatus[]): readonly TreeRow[] {
  return nodes.flatMap((node) => branch(node, { name: "", below: "" }));
}

function branch(node: NodeStatus, guide: Pick<TreeRow, "name" | "below">): readonly TreeRow[] {
  const { nodes } = node;
  const inner = nodes.flatMap((child, index) => {
    const isLast = index === nodes.length - 1;
    return branch(child, {
      name: `${guide.below}${isLast ? "└─ " : "├─ "}`,
      below: `${guide.below}${isLast ? "   " : "│  "}`,
    });
  });
  const under = `${guide.below}${nodes.length === 0 ? "   " : "│  "}`;
  return [{ node, name: `${guide.name}${node.nodeId}`, below: under }, ...inner];
}

interface Line {
  readonly cells: readonly string[];
  readonly notes: readonly string[];
}

/** Aligns cells in columns; notes follow their line unchanged. */
export function columns(lines: readonly Line[]): readonly string[] {
  const width = (column: number): number =>
    Math.max(...lines.map(({ cells }) => [...(cells[column] ?? "")].length), 0);
  const widths = lines[0]?.cells.map((_, column) => width(column)) ?? [];
  return lines.flatMap(({ cells, notes }) => [
    cells
      .map((cell, column) => cell + " ".repeat((widths[column] ?? 0) - [...cell].length))
      .join("  ")
      .trimEnd(),
    ...notes,
  ]);
}

export function attemptText({ attempt }: NodeStatus): string {
  return attempt === null ? "" : `attempt ${attempt}`;
}

export function criteriaText({ criteria: { covered, of } }: NodeStatus): string {
  return `criteria ${covered}/${of}`;
}

function afterText({ lastExit }: NodeStatus): string {
  return lastExit === null ? "" : `after ${lastExit}`;
}

function branchText({ branch: name, waitsFor }: NodeStatus): string {
  return waitsFor.length === 0 ? name : `${name}, waits for ${waitsFor.join(", ")}`;
}

/** Untruncated, because a person decides by the message of a Stuck child (V3-25). */
function failureText({ failure }: NodeStatus): readonly string[] {
  return failure === null ? [] : [`${failure.reason}: ${safeLine(failure.details)}`];
}

/** The nodes that a person can still act on. */
export function openNodes(nodes: readonly NodeStatus[]): readonly string[] {
  return flattenNodes(nodes)
    .filter(({ state }) => !/^(failed|halted|merged|complete|cancelled)\b/u.test(state))
    .map(({ nodeId }) => nodeId);
}
