/** The controls in the record of a node's gate: node, exit and criteria (V3-44). */
import type { Verdict } from "../../../gates/verdict.ts";
import type { RunContext } from "../../../run/context.ts";
import { specOf } from "../facts.ts";
import type { Node } from "../node.ts";

export async function recordControls(
  context: RunContext,
  { id, entry }: Node,
  exits: Readonly<Record<Verdict["verdict"], string>>,
): Promise<(verdict: Verdict) => Readonly<Record<string, string>>> {
  const { acceptanceCriteria } = await specOf(context, entry);
  const criteria = acceptanceCriteria.map((criterion) => criterion.id).join(", ");
  return ({ verdict }) => ({ node: id, exit: exits[verdict], criteria });
}
