/** The open asks of a run, or of the node that `--node` names. */
import type { AskCommand } from "../kernel/command.ts";
import { AppError } from "../lib/errors.ts";
import { openAsksOf } from "../engine/asks/open.ts";
import type { RunContext } from "../run/context.ts";
import { asksOfNode } from "../families/graph/find-node.ts";
import { nodeOf } from "../families/graph/node.ts";
import { hasNodes } from "../families/graph/root.ts";

/**
 * @param wanted whether the answer fits an ask
 * @throws usage if the answer fits asks of several nodes
 */
export function asksForNode(
  context: RunContext,
  node: string | undefined,
  wanted: (ask: AskCommand) => boolean,
): readonly AskCommand[] {
  const { protocol } = context;
  const asks = asksOfNode(context, openAsksOf(context), node);
  if (!hasNodes(protocol)) return asks;
  const open = asks.filter(wanted).flatMap((ask) => nodeOf(context, ask)?.id ?? []);
  if (open.length > 1)
    throw new AppError("usage", `several nodes wait for that: ${open.join(", ")}`, {
      hint: `say which: --node ${open[0] ?? ""}`,
    });
  return asks;
}

/** @throws nothing_to_answer if the answer fits no ask */
export function asksToAnswer(...given: Parameters<typeof asksForNode>): readonly AskCommand[] {
  const asks = asksForNode(...given);
  const [{ protocol, run }, node, wanted] = given;
  if (!hasNodes(protocol) || asks.some(wanted)) return asks;
  const [other] = asks;
  throw new AppError("nothing_to_answer", `${node ?? `run ${run}`} has no ask of that kind`, {
    hint: `${other ? `it waits for: ${other.text}; ` : ""}\`mettle status ${run}\` has the commands`,
  });
}
