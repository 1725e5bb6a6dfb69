/** Completion claims and typed EXECUTION_BLOCKs of an agent: journaled, never believed, answered by a run (ORC-48, 49, 76). */
import { forgedBlocks, scanClaims, type TypedBlock } from "../evidence/claims.ts";
import type { RunEvent } from "../log/run-event.ts";
import { isProven, verificationOf } from "../views/gate/claims.ts";
import { exitText } from "../views/exit-text.ts";
import { commandText } from "../views/gate/execution-block.ts";
import { readRecord } from "../run/blocks.ts";
import type { RunContext } from "../run/context.ts";
import type { RecordDraft } from "../proof/draft.ts";
import { verifyTree } from "../verify/verify-tree.ts";
import type { AgentResult, SettlementRules } from "../family/agent-result.ts";

export interface ClaimFacts {
  readonly facts: readonly RunEvent[];
  readonly drafts: readonly RecordDraft[];
}

export interface ClaimOptions {
  /** A gate executes this very work next: its record is the answer. */
  readonly judged: boolean;
  /** A gate looks next at what the agent decided. */
  readonly isDecided: boolean;
  /** A commit with the tree that the agent left. */
  readonly commit: string;
}

/** Every turn's text counts, not only that of the last one. One verification for each tree. */
export async function answerClaims(
  finished: AgentResult,
  settling: SettlementRules,
  { judged, isDecided, commit }: ClaimOptions,
): Promise<ClaimFacts> {
  const { context, command, turns, left } = finished;
  const forged = await forgedFacts(context, { key: command.key, said: turns.said });
  const { view } = context.session;
  const found = isProven(view, left.tree) ? [] : scanClaims(settling.claimText(finished));
  const weighed = isDecided && found.length > 0 ? await settling.checkClaims(finished, found) : null;
  const shown = weighed?.shown ?? null;
  const claims: RunEvent[] = (weighed?.open ?? found).map(({ phrase, excerpt }) => ({
    type: "claim.unverified",
    key: command.key,
    phrase,
    excerpt,
    tree: left.tree,
    ...(shown === null ? {} : { shown }),
  }));
  const facts = [...forged, ...claims];
  const known = verificationOf(view, left.tree) !== null;
  if (claims.length === 0 || judged || known || shown !== null) return { facts, drafts: [] };
  return { facts, drafts: await verifyTree(context, commit) };
}

/** A block that says what a record of the runtime says is quoted, not forged. */
async function forgedFacts(
  context: RunContext,
  { key, said }: { readonly key: string; readonly said: string },
): Promise<readonly RunEvent[]> {
  if (forgedBlocks(said).length === 0) return [];
  const known: TypedBlock[] = [];
  for (const { id } of context.session.view.records) {
    const record = await readRecord(context, id);
    if (record) known.push({ command: commandText(record), exitCode: exitText(record) });
  }
  return forgedBlocks(said, known).map(({ command, exitCode }) => ({
    type: "forged.block",
    key,
    command,
    exitCode,
  }));
}
