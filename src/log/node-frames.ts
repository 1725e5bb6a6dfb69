/** Maps kernel frames to nodes of a graph, by the commands that started them. Pure. */
import type { Command, SpawnCommand } from "../kernel/command.ts";
import type { RunView } from "./run-view.ts";

/** Frame -> node id, in order of start, including ended frames. Empty without nodes. */
export function nodesOfFrames({
  nodes,
  order,
  commands,
}: Pick<RunView, "nodes" | "order" | "commands">): Map<string, string> {
  const found = new Map<string, string>();
  const [root] = Object.keys(nodes);
  if (root === undefined) return found;
  for (const key of order) {
    const command = commands[key]?.command;
    if (command !== undefined) addFrame(found, root, command);
  }
  return found;
}

/** Adds the frame that a command starts. The first command belongs to the root. */
export function addFrame(frames: Map<string, string>, root: string, command: Command): void {
  if (frames.size === 0) frames.set(command.frame, root);
  if (isSpawn(command)) frames.set(command.child, `${frames.get(command.frame) ?? root}--${command.item}`);
}

function isSpawn(command: Command): command is SpawnCommand {
  return command.type === "spawn";
}
