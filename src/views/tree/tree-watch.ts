/** The live tree of a graph, fitted to a terminal's size. Pure: the caller passes the time. */
import { counted } from "../../lib/counted.ts";
import { elapsedText } from "../run/progress-line.ts";
import { safeLine } from "../../lib/safe-text.ts";
import { attemptText, columns, openNodes, rows } from "./tree-text.ts";
import { stateText, type NodeStatus, type TreeStatus } from "./tree-status.ts";

export interface WatchedRun {
  readonly run: string;
  readonly task: string;
  readonly status: string;
  /** ISO. */
  readonly startedAt: string;
  readonly nowMs: number;
}

export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

const mark = "▸";

export function treeScreen(tree: TreeStatus, watched: WatchedRun, size: ScreenSize): readonly string[] {
  const { run, task, status, startedAt, nowMs } = watched;
  const { nodes, slots } = tree;
  const table = columns(
    rows(nodes).map(({ node, name }) => ({
      cells: [
        `${node.critical ? mark : " "} ${name}`,
        stateText(node),
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
  return fitToHeight([...head, ...table], size).map((line) => clip(line, size.columns));
}

/** Cuts the end of a tree that is too high. One line is left free for the cursor. */
function fitToHeight(lines: readonly string[], size: ScreenSize): readonly string[] {
  const max = Math.max(4, size.rows - 1);
  if (lines.length <= max) return lines;
  return [...lines.slice(0, max - 1), `  … and ${lines.length - max + 1} more; \`mettle status\` shows all`];
}

function clip(line: string, width: number): string {
  const letters = [...line];
  return letters.length > width ? `${letters.slice(0, Math.max(0, width - 1)).join("")}…` : line;
}

/** Time in the current state; empty for an ended node. */
function elapsed(node: NodeStatus, nowMs: number): string {
  if (node.since === null || openNodes([{ ...node, nodes: [] }]).length === 0) return "";
  return elapsedText(nowMs - Date.parse(node.since));
}

function waits({ waitsFor }: NodeStatus): string {
  return waitsFor.length === 0 ? "" : `waits for ${waitsFor.join(", ")}`;
}
