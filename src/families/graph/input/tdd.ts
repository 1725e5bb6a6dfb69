/** Input of TDD: to write tests or to review Impl's work; the kernel sets the mode (V3-03). */
import type { DispatchCommand } from "../../../kernel/command.ts";
import type { NodeInput } from "../../../protocol/graph-types/nodes.ts";
import { ImplResult } from "../../../protocol/graph-types/shared.ts";
import type { RunContext } from "../../../run/context.ts";
import { diffText } from "../../../git/objects/diff.ts";
import { specOf } from "../facts.ts";
import { entryOf, type Node } from "../node.ts";
import { requireAccepted } from "../payloads.ts";
import { workPayload } from "./work-payload.ts";

export async function tddInput(
  context: RunContext,
  command: DispatchCommand,
  node: Node,
): Promise<NodeInput<"tdd">> {
  const { entry, parent } = node;
  const spec = await specOf(context, entry);
  const scaffold = await workPayload(context, node);
  if (command.mode !== "ReviewImpl") return { spec, scaffold, mode: { WriteTests: {} } };
  const implResult = await requireAccepted(context, { entry, exit: "TestsPassed", type: ImplResult });
  const { candidate } = entry;
  // The judge sees the diff against its own branch; the reviewer sees Impl's work on the scaffold and its tests.
  const [from, to] =
    candidate === null
      ? [entry.scaffold ?? entry.base, entry.head]
      : [parent === null ? candidate.onto : entryOf(context, parent).head, candidate.commit];
  const diff = await diffText(context.repository, { from, to });
  return { spec, scaffold, mode: { ReviewImpl: { implResult, diff } } };
}
