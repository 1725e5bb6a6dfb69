/** Finds the siblings or merged children that export a missing symbol (V3-20). */
import { parentIdOf, specIdOf } from "../../log/node-id.ts";
import { InitWork } from "../../protocol/graph-types/scaffold.ts";
import { MergeComplete } from "../../protocol/graph-types/shared.ts";
import type { RunContext } from "../../run/context.ts";
import { entryOf, type Node } from "./node.ts";
import { acceptedOf, readStored } from "./payloads.ts";

/** One note about `missingSymbol` of a payload; empty if it has no such field. */
export async function exportersOf(
  context: RunContext,
  node: Node,
  payload: object,
): Promise<readonly string[]> {
  const symbol = "missingSymbol" in payload ? payload.missingSymbol : undefined;
  if (typeof symbol !== "string") return [];
  const found = [
    ...(await mergedExporters(context, node, symbol)),
    ...(await siblingExporters(context, node, symbol)),
  ];
  const names = [...new Set(found)];
  return [
    names.length === 0
      ? `${symbol}: exported by no sibling and no child`
      : `exported by: ${names.join(", ")}`,
  ];
}

async function mergedExporters(
  context: RunContext,
  { entry }: Node,
  symbol: string,
): Promise<readonly string[]> {
  const merged = await Promise.all(
    entry.merged.map(async ({ child, event }) => ({
      child,
      changes: (await readStored(context, event, MergeComplete)).changes,
    })),
  );
  return merged
    .filter(({ changes }) =>
      changes.some((change) => change.symbol === symbol && change.changeType !== "RemovedExport"),
    )
    .map(({ child }) => specIdOf(child));
}

/** Uses the interfaces that their scaffolds declared and the exports that they merged. */
async function siblingExporters(context: RunContext, node: Node, symbol: string): Promise<readonly string[]> {
  if (node.parent === null) return [];
  const parent = entryOf(context, node.parent);
  const names: string[] = [];
  for (const [id, entry] of Object.entries(context.session.view.nodes)) {
    if (id === node.id || parentIdOf(id) !== node.parent) continue;
    const work = await acceptedOf(context, { entry, exit: "InitWork", type: InitWork });
    const merged = parent.merged.find(({ child }) => child === id);
    const changes = merged ? (await readStored(context, merged.event, MergeComplete)).changes : [];
    if (
      work?.interfaces?.some(({ exports }) => exports.includes(symbol)) === true ||
      changes.some((change) => change.symbol === symbol && change.changeType !== "RemovedExport")
    )
      names.push(specIdOf(id));
  }
  return names;
}
