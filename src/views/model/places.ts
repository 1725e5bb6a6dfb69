/** Where a command belongs in the timeline: its phase, and the node or cycle that the phase is part of. Pure. */
import type { Command } from "../../kernel/command.ts";
import { addFrame } from "../../log/node-frames.ts";
import type { RunView } from "../../log/run-view.ts";

export interface Place {
  /** Id of the phase. */
  readonly id: string;
  readonly name: string;
  /** The node of a graph, or the cycle; null: the run itself. */
  readonly place: string | null;
  readonly node: string | null;
}

type Commands = Pick<RunView, "nodes" | "order" | "commands">;

/** Key of each command -> its place. A command without a phase belongs to the phase before it in its frame. */
export function placesOf({ nodes, order, commands }: Commands): ReadonlyMap<string, Place> {
  const [root] = Object.keys(nodes);
  const frames = new Map<string, string>();
  const newest = new Map<string, string>();
  const places = new Map<string, Place>();
  for (const key of order) {
    const command = commands[key]?.command;
    if (command === undefined) continue;
    if (root !== undefined) addFrame(frames, root, command);
    const name = nameOf(command, newest.get(command.frame));
    newest.set(command.frame, name);
    const node = root === undefined ? null : (frames.get(command.frame) ?? root);
    const place = node ?? cycleOf(command.frame);
    places.set(key, { id: `${place ?? ""}/${name}`, name, place, node });
  }
  return places;
}

/** The cycle or item of a frame that a run spawned: `cycles/C1` is `C1`. */
function cycleOf(frame: string): string | null {
  return frame === "main" ? null : (frame.split("/").at(-1) ?? null);
}

function nameOf({ phase, mode, state, type }: Command, before: string | undefined): string {
  // Only the modes of riper and dptr are parts of a phase's name.
  if (mode === undefined || !mode.startsWith("Ω")) return phase ?? mode ?? before ?? state;
  if (phase !== undefined) return `${mode} ${phase}`;
  // A gate judges the work of the phase before it.
  const goesOn = type !== "dispatch" && before !== undefined && before.startsWith(mode);
  return goesOn ? before : mode;
}
