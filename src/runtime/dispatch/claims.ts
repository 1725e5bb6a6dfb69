/** Completion claims and typed EXECUTION_BLOCKs in an agent's last words: journaled, never believed, answered by a run. */
import { forgedBlocks, scanClaims } from "../../evidence/claims.ts";
import type { RunEvent } from "../../kernel/run-event.ts";
import { verifyTree } from "../verify-tree.ts";
import type { RecordDraft } from "../proof/draft.ts";
import type { Finished } from "./settle.ts";
import { writesOf } from "./workspace.ts";

export interface AnsweredClaims {
  readonly facts: readonly RunEvent[];
  readonly drafts: readonly RecordDraft[];
}

/** ORC-48, 49, 76: one verification for each tree; work that a gate is about to execute anyway is answered by the gate. */
export async function answerClaims({
  context,
  command,
  turns,
  left,
}: Finished & object): Promise<AnsweredClaims> {
  const forged: RunEvent[] = forgedBlocks(turns.final).map((block) => ({
    type: "forged.block",
    key: command.key,
    command: block.command,
    exitCode: block.exitCode,
  }));
  const { view } = context.session;
  const proven = view.records.some((record) => record.tree === left.tree && record.exitCode === 0);
  const found = proven ? [] : scanClaims(turns.final);
  const claims: RunEvent[] = found.map(({ phrase, excerpt }) => ({
    type: "claim.unverified",
    key: command.key,
    phrase,
    excerpt,
    tree: left.tree,
  }));
  const facts = [...forged, ...claims];
  const writes = writesOf(context, command);
  const judgedAnyway = writes === "tests" || writes === "source";
  const known = view.records.some((record) => record.tree === left.tree);
  if (claims.length === 0 || judgedAnyway || known) return { facts, drafts: [] };
  return { facts, drafts: await verifyTree(context, left.base) };
}
