/**
 * Which of the open commands of a graph start now (V3-06): at most so many agents and so many gates at once, those first
 * that most of the tree waits for. Pure. A node that waits has no open command, so it holds no slot.
 */
import type { Command } from "../../kernel/command.ts";

export interface Slots {
  /** Agents at work at once, and gates. */
  readonly parallel: number;
  /** Keys of commands that are being done. */
  readonly busy: ReadonlySet<string>;
  /** 0 for the root's frame. */
  readonly depthOf: (frame: string) => number;
}

/** The commands to start now, the most urgent first. */
export function startable(open: readonly Command[], { parallel, busy, depthOf }: Slots): readonly Command[] {
  const atWork = open.filter(({ key }) => busy.has(key));
  const waiting = open.filter(({ key }) => !busy.has(key));
  const fill = (kind: (command: Command) => boolean): readonly Command[] => {
    const free = parallel - atWork.filter(kind).length;
    if (free <= 0) return [];
    const urgent = waiting.filter(kind).map((command) => ({ command, rank: pathAhead(command, depthOf) }));
    return urgent
      .toSorted((a, b) => b.rank - a.rank)
      .slice(0, free)
      .map(({ command }) => command);
  };
  const rest = waiting.filter((command) => !isAgent(command) && !isGate(command));
  return [...rest, ...fill(isGate), ...fill(isAgent)];
}

function isAgent({ type }: Command): boolean {
  return type === "dispatch";
}

function isGate({ type }: Command): boolean {
  return type === "check" || type === "merge" || type === "rebase";
}

/**
 * Length of the path from here to the root's merge, in dispatches: what its own node has left, then Impl, review, judge
 * and Merger of each node above. A scaffold may unfold a whole tree, so it comes before everything of its depth.
 */
function pathAhead(command: Command, depthOf: Slots["depthOf"]): number {
  return stagesLeft(command) + perLevel * depthOf(command.frame);
}

const perLevel = 4;

function stagesLeft(command: Command): number {
  if (command.type !== "dispatch") return stages[command.phase ?? ""] ?? 0;
  if (command.role === "scaffold") return scaffoldStages;
  return (stages[command.phase ?? ""] ?? 0) + (command.mode === "WriteTests" ? 2 : 0);
}

const scaffoldStages = 10;
/** By the node of the graph that a state belongs to. */
const stages: Readonly<Record<string, number>> = { Scaffold: 6, Rebaser: 5, Impl: 4, TDD: 3, Merger: 1 };
