/** The command that starts a first run. */
import { shellWords } from "../views/shell-words.ts";

export function firstRun(protocol: string): string {
  const task = "Build a login page";
  // A graph starts with a spec, not with a task in words.
  if (protocol === "graph") return "mettle run --protocol graph --spec spec.yaml";
  const named = protocol === "orchestrate" ? "" : `--protocol ${shellWords([protocol])} `;
  return `mettle run ${named}${shellWords([task])}`;
}
