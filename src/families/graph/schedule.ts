/**
 * Which of the open commands of a graph start now (V3-06): at most so many agents and so many gates at once, those first
 * that most of the tree waits for. Pure. A node that waits has no open command, so it holds no slot.
 */
import type { Command } from "../../kernel/command.ts";
import type { RunState } from "../../kernel/state.ts";

export interface Slots {
  /** Agents at work at once, and gates. */
  readonly parallel: number;
  /** Keys of commands that are being done. */
  readonly busy: ReadonlySet<string>;
  /** What stands above a frame: see `levelsAbove`. */
  readonly above: (frame: string) => number;
}

/** The commands to start now, the most urgent first. */
export function commandsToStart(open: readonly Command[], { parallel, busy, above }: Slots): readonly Command[] {
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
 * Dispatches that a frame's merge is followed by up to the root: the merges of the siblings that are not in yet, since one
 * goes after the other (V3-61), then Impl and review of the parent, and so on up.
 */
export function levelsAbove(frames: RunState["frames"], frame: string): number {
  const parent = frames[frame]?.parent;
  if (!parent) return 0;
  const children = frames[parent.frame]?.children[parent.each] ?? [];
  const open = children.filter(({ outcome }) => outcome === null).length;
  return 2 * open + 2 + levelsAbove(frames, parent.frame);
}

/** The command that most of the tree waits for; null where nothing but a person is waited for. */
export function mostUrgent(open: readonly Command[], frames: RunState["frames"]): Command | null {
  const ranked = open
    .filter((command) => isAgent(command) || isGate(command))
    .map((command) => ({ command, rank: pathAhead(command, (frame) => levelsAbove(frames, frame)) }));
  return ranked.toSorted((a, b) => b.rank - a.rank)[0]?.command ?? null;
}

/** Length of the path from here to the root's merge, in dispatches. */
function pathAhead(command: Command, above: Slots["above"]): number {
  return stagesLeft(command) + above(command.frame);
}

/** Until the node asks to be merged. A scaffold may unfold a whole tree. */
function stagesLeft(command: Command): number {
  if (command.type === "dispatch" && command.role === "scaffold") return 30;
  return (stages[command.phase ?? ""] ?? 0) + (command.mode === "WriteTests" ? 2 : 0);
}

/** By the node of the graph that a state belongs to. */
const stages: Readonly<Record<string, number>> = { Scaffold: 6, Rebaser: 5, Impl: 4, TDD: 3, Merger: 1 };
