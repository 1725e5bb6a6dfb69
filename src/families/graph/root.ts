/** The root node, whose spec the run was started with. */
import { canonicalJson } from "../../lib/hash.ts";
import { AppError } from "../../lib/errors.ts";
import type { EventOf } from "../../log/run-event.ts";
import type { Protocol } from "../../protocol/machine.ts";
import type { Payloads } from "../../journal/payloads.ts";
import type { StartOptions } from "../../family/start-options.ts";

/** Whether a protocol has nodes, and so starts with a spec instead of a task. */
export function hasNodes({ features }: Pick<Protocol, "features">): boolean {
  return features["nodes"] === true;
}

export function requireSpec({ name }: Protocol, { spec }: StartOptions): void {
  if (spec === undefined) throw specRequired(name);
}

/** The hint shows the smallest valid spec, to copy (V3-73). */
function specRequired(protocol: string): AppError {
  const spec = [
    "description: Add two numbers",
    "acceptanceCriteria:",
    "  - add(2, 3) gives 5",
    "targetPath: src/add.ts",
    "testPath: test/add",
  ];
  return new AppError("spec_required", `${protocol} begins with a spec file, not with a task in words`, {
    hint: `mettle run --protocol ${protocol} --spec spec.yaml, with at least:\n${spec.map((line) => `  ${line}`).join("\n")}`,
  });
}

export async function rootEvents(
  payloads: Payloads,
  { spec: root }: StartOptions,
  base: string,
): Promise<readonly EventOf<"node.began">[]> {
  if (root === undefined) return [];
  const ref = await payloads.put(canonicalJson(root.spec));
  return [{ type: "node.began", node: root.spec.id, item: "", spec: ref, parentContext: null, base }];
}
