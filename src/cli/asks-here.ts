/** What waits for a person, of one node where `--node` names it. */
import type { AskCommand } from "../kernel/command.ts";
import { AppError } from "../lib/errors.ts";
import { openAsksOf } from "../engine/asks/open.ts";
import type { RunContext } from "../run/context.ts";
import { asksOfNode } from "../families/graph/find-node.ts";
import { nodeOf } from "../families/graph/node.ts";
import { hasNodes } from "../families/graph/root.ts";

/** @param wanted whom the answer could be for: in a graph it must be one node's */
export function asksHere(
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

/** The same, where there must be something to answer. */
export function asksToAnswer(...given: Parameters<typeof asksHere>): readonly AskCommand[] {
  const asks = asksHere(...given);
  const [{ protocol, run }, node, wanted] = given;
  if (!hasNodes(protocol) || asks.some(wanted)) return asks;
  const [other] = asks;
  throw new AppError("nothing_to_answer", `${node ?? `run ${run}`} asks nothing of that kind`, {
    hint: `${other ? `it waits for: ${other.text}; ` : ""}\`mettle status ${run}\` has the commands`,
  });
}
