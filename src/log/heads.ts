/** The commits that gates accepted: part of the run's read model. Pure. */
import type { EventOf } from "./run-event.ts";

export interface Head {
  readonly red: string | null;
  readonly green: string | null;
  /** The newest accepted implementation: the start of a reworked cycle. */
  readonly lastGreen: string | null;
  readonly branch: string | null;
}

export function moveHead(head: Head, event: EventOf<"head.moved">): Head {
  const { commit } = event;
  if (event.kind === "red") return { ...head, red: commit, green: null, branch: commit };
  if (event.kind === "green") return { ...head, green: commit, lastGreen: commit, branch: commit };
  if (event.kind !== "reset") return { ...head, branch: commit };
  // A reset to the accepted implementation or to the branch head keeps it accepted.
  if (head.green !== null && [head.green, head.branch].includes(commit)) return { ...head, branch: commit };
  return { red: head.red, green: null, lastGreen: null, branch: commit };
}
