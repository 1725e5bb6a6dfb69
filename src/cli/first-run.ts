/** The command by which a person who is new here starts a run. */
import { shellWords } from "../views/shell-words.ts";

/** @returns a line for a shell */
export function firstRun(protocol: string): string {
  const task = "Build a login page";
  // A graph takes a spec and no task in words.
  if (protocol === "graph") return "mettle run --protocol graph --spec spec.yaml";
  return protocol === "orchestrate"
    ? `mettle run '@orchestrate "${task}"'`
    : `mettle run --protocol ${shellWords([protocol])} ${shellWords([task])}`;
}
