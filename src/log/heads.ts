/** The commits that gates accepted: part of the run's read model. Pure. */
import type { EventOf } from "./run-event.ts";

export interface Head {
  readonly red: string | null;
  readonly green: string | null;
  /** The newest implementation ever accepted: what a reworked cycle starts from. */
  readonly lastGreen: string | null;
  readonly branch: string | null;
}

export function movedHead(head: Head, event: EventOf<"head.moved">): Head {
  const { commit } = event;
  if (event.kind === "red") return { ...head, red: commit, green: null, branch: commit };
  if (event.kind === "green") return { ...head, green: commit, lastGreen: commit, branch: commit };
  if (event.kind !== "reset") return { ...head, branch: commit };
  // An accepted implementation that is not behind the commit stays accepted.
  if (head.green !== null && [head.green, head.branch].includes(commit)) return { ...head, branch: commit };
  return { red: head.red, green: null, lastGreen: null, branch: commit };
}
