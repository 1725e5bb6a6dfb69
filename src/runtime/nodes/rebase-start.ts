/** Where a Rebaser begins: the node's own work laid onto the new head of its parent, conflicts marked in the files. */
import { AppError } from "../../lib/errors.ts";
import type { DispatchCommand } from "../../kernel/command.ts";
import type { RunContext } from "../context.ts";
import type { Node } from "./node.ts";

export async function rebaseStart(
  _context: RunContext,
  _command: DispatchCommand,
  node: Node,
): Promise<{ readonly from: string; readonly parent: string }> {
  throw new AppError("internal", `${node.id} cannot be rebased yet`, { hint: "this part is being built" });
}
