/** The root of a graph: its spec is what the run was started with. */
import { canonicalJson } from "../../lib/hash.ts";
import { AppError } from "../../lib/errors.ts";
import type { EventOf } from "../../log/run-event.ts";
import type { Spec } from "../../protocol/graph-types/shared.ts";
import type { Protocol } from "../../protocol/machine.ts";
import type { Payloads } from "../../journal/payloads.ts";

export interface RootSpec {
  readonly spec: Spec;
  /** Where it was read from, and the hash of that text; null for standard input. */
  readonly file: { readonly path: string; readonly hash: string } | null;
}

/** Whether a protocol is a graph of nodes, which begins with a spec and not with a task. */
export function hasNodes({ features }: Pick<Protocol, "features">): boolean {
  return features["nodes"] === true;
}

export function assertSpec(protocol: Protocol, spec: RootSpec | undefined): void {
  if (hasNodes(protocol) && spec === undefined) throw specRequired(protocol.name);
  if (!hasNodes(protocol) && spec !== undefined)
    throw new AppError("usage", `${protocol.name} takes a task in words and no spec`, {
      hint: `mettle run "what to build" --protocol ${protocol.name}`,
    });
}

/** Other protocols work on the branch that is checked out, and have one result that nobody reviews before. */
export function assertGraphOptions(
  protocol: Protocol,
  options: { readonly base?: string; readonly mergeRequests?: boolean },
): void {
  if (hasNodes(protocol)) return;
  const given = options.base === undefined ? options.mergeRequests === true && "--pr" : "--base";
  if (given !== false)
    throw new AppError("usage", `${protocol.name} knows no ${given}: it belongs to a graph`, {
      hint: "mettle run --protocol graph --spec spec.yaml",
    });
}

/** With the smallest spec there is, to copy (V3-73). */
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

export async function rootBegan(
  payloads: Payloads,
  { spec: { spec }, base }: { readonly spec: RootSpec; readonly base: string },
): Promise<EventOf<"node.began">> {
  const ref = await payloads.put(canonicalJson(spec));
  return { type: "node.began", node: spec.id, item: "", spec: ref, parentContext: null, base };
}
