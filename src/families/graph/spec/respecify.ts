/** A person amends the root's spec: journaled as their decision, with both hashes (V3-93). */
import type { By } from "../../../log/by.ts";
import { AppError } from "../../../lib/errors.ts";
import { canonicalJson } from "../../../lib/hash.ts";
import type { EventOf } from "../../../log/run-event.ts";
import type { RunContext } from "../../../run/context.ts";
import { entryOf, rootId } from "../node.ts";
import type { RootSpec } from "../../../family/start-options.ts";

export async function respecify(
  context: RunContext,
  { spec, file }: RootSpec,
  by: By,
): Promise<EventOf<"node.respecified">> {
  const node = rootId(context);
  if (node === null || node !== spec.id)
    throw new AppError(
      "usage",
      `the spec has the id ${spec.id}, and the root of the run is ${node ?? "none"}`,
      {
        hint: node === null ? "only a graph has a spec" : `write \`id: ${node}\` into it`,
      },
    );
  const { spec: before } = entryOf(context, node);
  const ref = await context.payloads.put(canonicalJson(spec));
  return { type: "node.respecified", node, before, spec: ref, ...(file === null ? {} : { file }), by };
}
