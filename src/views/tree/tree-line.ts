/** One line with the nodes of a graph that work now. Pure: the caller passes the time. */
import type { Command } from "../../kernel/command.ts";
import { nodesOfFrames } from "../../log/node-frames.ts";
import { elapsedText } from "../run/progress-line.ts";
import type { RunView } from "../../log/run-view.ts";
import { safeLine } from "../../lib/safe-text.ts";

/** Null in a run without nodes or while no node works. @param width a longer line ends with the number of omitted nodes */
export function treeLine(view: RunView, nowMs: number, width: number): string | null {
  const frames = nodesOfFrames(view);
  if (frames.size === 0) return null;
  const working = view.order.flatMap((key) => {
    const entry = view.commands[key];
    if (!entry || entry.result || view.cancelled.includes(key) || !isWork(entry.command)) return [];
    const node = frames.get(entry.command.frame) ?? "";
    return [`${node} ${whatOf(entry.command)} ${elapsedText(nowMs - Date.parse(entry.at))}`];
  });
  return working.length === 0 ? null : safeLine(fitToWidth(working, width));
}

function isWork({ type }: Command): boolean {
  return type === "dispatch" || type === "check" || type === "merge" || type === "rebase";
}

function whatOf(command: Command): string {
  const phase = command.phase ?? command.state;
  return command.type === "dispatch" ? phase : `${phase} check`;
}

/** The oldest work first, as much as fits. */
function fitToWidth(parts: readonly string[], width: number): string {
  for (let shown = parts.length; shown > 0; shown--) {
    const more = shown < parts.length ? [`and ${parts.length - shown} more`] : [];
    const line = [...parts.slice(0, shown), ...more].join(" · ");
    if ([...line].length <= width) return line;
  }
  return [...(parts[0] ?? "")].slice(0, width).join("");
}
