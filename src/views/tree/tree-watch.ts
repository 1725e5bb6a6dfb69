/** The tree of a graph at work, as a terminal of this size can show it. Pure: the time is given. */
import { counted } from "../../lib/counted.ts";
import { elapsedText } from "../run/progress-line.ts";
import { safeLine } from "../../lib/safe-text.ts";
import { attemptText, columns, openNodes, rows } from "./tree-text.ts";
import { stateWords, type NodeStatus, type TreeStatus } from "./tree-status.ts";

export interface Watched {
  readonly run: string;
  readonly task: string;
  readonly status: string;
  /** ISO. */
  readonly startedAt: string;
  readonly nowMs: number;
}

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

const mark = "▸";

export function treeScreen(tree: TreeStatus, watched: Watched, size: Size): readonly string[] {
  const { run, task, status, startedAt, nowMs } = watched;
  const { nodes, slots } = tree;
  const table = columns(
    rows(nodes).map(({ node, name }) => ({
      cells: [
        `${node.critical ? mark : " "} ${name}`,
        stateWords(node),
        attemptText(node),
        elapsed(node, nowMs),
        waits(node),
      ],
      notes: [],
    })),
  );
  const head = [
    `run ${run}: ${safeLine(task)}`,
    [
      status,
      elapsedText(nowMs - Date.parse(startedAt)),
      `agents ${slots.used}/${slots.of}`,
      `${counted(openNodes(nodes).length, "node")} open`,
      `${mark} critical path`,
    ].join(" · "),
    "",
  ];
  return fitted([...head, ...table], size).map((line) => clipped(line, size.columns));
}

/** The end of a tree that is higher than the terminal is not shown; one line less than there are, since a cursor needs its own. */
function fitted(lines: readonly string[], size: Size): readonly string[] {
  const most = Math.max(4, size.rows - 1);
  if (lines.length <= most) return lines;
  return [
    ...lines.slice(0, most - 1),
    `  … and ${lines.length - most + 1} more; \`mettle status\` shows all`,
  ];
}

function clipped(line: string, width: number): string {
  const letters = [...line];
  return letters.length > width ? `${letters.slice(0, Math.max(0, width - 1)).join("")}…` : line;
}

/** How long it has been where it is; of a node that ended nothing. */
function elapsed(node: NodeStatus, nowMs: number): string {
  if (node.since === null || openNodes([{ ...node, nodes: [] }]).length === 0) return "";
  return elapsedText(nowMs - Date.parse(node.since));
}

function waits({ waitsFor }: NodeStatus): string {
  return waitsFor.length === 0 ? "" : `waits for ${waitsFor.join(", ")}`;
}
