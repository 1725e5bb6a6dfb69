/**
 * Selects the open commands of a graph to start now (V3-06): a limited number of agents and of gates at once, those
 * first that most of the tree waits for. Pure. A waiting node has no open command, so it holds no slot.
 */
import type { Command } from "../../kernel/command.ts";
import type { RunState } from "../../kernel/state.ts";

export interface Slots {
  /** The number of agents, and of gates, that may run at once. */
  readonly parallel: number;
  /** Keys of running commands. */
  readonly busy: ReadonlySet<string>;
  /** The path length above a frame: see `levelsAbove`. */
  readonly above: (frame: string) => number;
}

/** Returns the most urgent command first. */
export function commandsToStart(
  open: readonly Command[],
  { parallel, busy, above }: Slots,
): readonly Command[] {
  const running = open.filter(({ key }) => busy.has(key));
  const waiting = open.filter(({ key }) => !busy.has(key));
  const fill = (kind: (command: Command) => boolean): readonly Command[] => {
    const free = parallel - running.filter(kind).length;
    if (free <= 0) return [];
    const urgent = waiting.filter(kind).map((command) => ({ command, rank: pathAhead(command, above) }));
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
 * The number of dispatches from a frame's merge to the root's: the merges of open siblings, which are sequential
 * (V3-61), then Impl and review of the parent, and so on up.
 */
export function levelsAbove(frames: RunState["frames"]): Slots["above"] {
  // The same for siblings.
  const known = new Map<object, number>();
  const above = (frame: string): number => {
    const parent = frames[frame]?.parent;
    if (!parent) return 0;
    const children = frames[parent.frame]?.children[parent.each] ?? [];
    const found = known.get(children);
    if (found !== undefined) return found;
    const open = children.filter(({ outcome }) => outcome === null).length;
    const levels = 2 * open + 2 + above(parent.frame);
    known.set(children, levels);
    return levels;
  };
  return above;
}

/** The most urgent command; null if only a person can continue. */
export function mostUrgent(open: readonly Command[], frames: RunState["frames"]): Command | null {
  const above = levelsAbove(frames);
  const ranked = open
    .filter((command) => isAgent(command) || isGate(command))
    .map((command) => ({ command, rank: pathAhead(command, above) }));
  return ranked.toSorted((a, b) => b.rank - a.rank)[0]?.command ?? null;
}

/** Length of the path from here to the root's merge, in dispatches. */
function pathAhead(command: Command, above: Slots["above"]): number {
  return stagesLeft(command) + above(command.frame);
}

/** Dispatches until the node can be merged. A scaffold may create a whole tree. */
function stagesLeft(command: Command): number {
  if (command.type === "dispatch" && command.role === "scaffold") return 30;
  return (stages[command.phase ?? ""] ?? 0) + (command.mode === "WriteTests" ? 2 : 0);
}

/** By the graph node that a state belongs to. */
const stages: Readonly<Record<string, number>> = { Scaffold: 6, Rebaser: 5, Impl: 4, TDD: 3, Merger: 1 };
