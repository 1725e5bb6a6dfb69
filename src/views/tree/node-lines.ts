import { parentIdOf } from "../../log/node-id.ts";
import { assertNever } from "../../lib/assert-never.ts";
import type { NodeEvent } from "../../log/nodes.ts";
import { personText } from "../../log/by-text.ts";
import { shortCommit } from "../../lib/short-commit.ts";

export interface NodeLine {
  readonly node: string;
  readonly text: string;
}

/** A node's fact as text; null if another event has it. */
export function nodeLine(event: NodeEvent): NodeLine | null {
  const { node } = event;
  switch (event.type) {
    case "node.began":
      return parentIdOf(node) !== null ? { node, text: `begins on ${shortCommit(event.base)}` } : null;
    case "node.moved":
      if (event.by === "rebase") return { node, text: `rebased onto ${shortCommit(event.base)}` };
      return event.by === "reset" ? { node, text: `goes back to ${shortCommit(event.commit)}` } : null;
    case "node.accepted":
      return event.exit === "MergeFailed" ? { node, text: "ended without a merge" } : null;
    case "node.candidate":
      return {
        node,
        text: `squash ${shortCommit(event.commit)} onto ${shortCommit(event.onto)} is verified`,
      };
    case "node.merged":
      return {
        node: event.child,
        text: `${node === "base" ? "is the result" : `merged into ${node}`}: ${shortCommit(event.commit)}`,
      };
    case "node.respecified":
      return {
        node,
        text: `spec amended by ${personText(event.by)}: ${event.before} → ${event.spec}`,
      };
    case "node.aborted":
      return {
        node,
        text: `aborted by ${personText(event.by)}: ${event.reason}`,
      };
    case "node.request_ended":
      // A warning reports a failed request.
      return event.outcome === "failed" ? null : { node, text: `merge request ${event.url ?? "opened"}` };
    case "node.kept":
      return { node, text: `its last work is in ${event.path} until \`mettle clean\`` };
    case "node.request_begun":
    case "node.locked":
    case "node.tested":
    case "node.remembered":
      return null;
    default:
      return assertNever(event);
  }
}
