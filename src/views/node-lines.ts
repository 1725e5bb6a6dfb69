import { assertNever } from "../lib/assert-never.ts";
import type { NodeEvent } from "./nodes.ts";

/** A fact of a node in words, or null where it says nothing new. */
export function describeNode(event: NodeEvent): string | null {
  const { node } = event;
  switch (event.type) {
    case "node.began":
      return `${node}: begins on ${short(event.base)}`;
    case "node.moved":
      return `${node}: its branch is at ${short(event.commit)} (${event.by})`;
    case "node.accepted":
      return `${node}: ${event.exit}`;
    case "node.locked":
      return `${node}: ${Object.keys(event.files).length} files locked, ${event.required.length} tests required`;
    case "node.candidate":
      return `${node}: squash ${short(event.commit)} onto ${short(event.onto)}, verified and not published`;
    case "node.merged":
      return `${event.child}: merged into ${node} as ${short(event.commit)}`;
    case "node.aborted":
      return `${node}: aborted: ${event.reason}`;
    case "node.tested":
    case "node.remembered":
      return null;
    default:
      return assertNever(event);
  }
}

function short(commit: string): string {
  return commit.slice(0, 12);
}
