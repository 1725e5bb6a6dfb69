/** A node is ended only as it was shown, with the nodes below it (SEE-06). */
import type { FamilyRun } from "../family/family.ts";
import { AppError } from "../lib/errors.ts";
import { readNodes } from "../overview/read-nodes.ts";
import type { OpenHost } from "../run/host.ts";

export interface ShownNode {
  readonly node: string;
  /** Hash of the open nodes that end with it. */
  readonly shown: string;
}

/** @throws approval_stale with how the node is now */
export async function assertNodeShown(
  host: OpenHost,
  context: FamilyRun,
  { node, shown }: ShownNode,
): Promise<void> {
  const now = (await readNodes(host, context)).find(({ id }) => id === node);
  if (now?.shown === shown) return;
  const how = now === undefined ? "it is not in the tree" : `it is now: ${now.words}`;
  throw new AppError(
    "approval_stale",
    `${node}, or what is below it, has changed since it was shown; ${how}`,
    {
      hint: "look at the tree again, then decide",
    },
  );
}
