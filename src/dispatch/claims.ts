/** Journals an agent's completion claims and forged EXECUTION_BLOCKs, and answers a claim with a test run (ORC-48, 49, 76). */
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
  /** True if a gate executes this work next: its record answers the claims. */
  readonly judged: boolean;
  /** True if the next state is a gate. */
  readonly isDecided: boolean;
  /** A commit of the tree that the agent left. */
  readonly commit: string;
}

/** Scans the text of every turn. Verifies each tree at most once. */
export async function answerClaims(
  finished: AgentResult,
  settling: SettlementRules,
  { judged, isDecided, commit }: ClaimOptions,
): Promise<ClaimFacts> {
  const { context, command, turns, harvest } = finished;
  const forged = await forgedFacts(context, { key: command.key, text: turns.output });
  const { view } = context.session;
  const found = isProven(view, harvest.tree) ? [] : scanClaims(settling.claimText(finished));
  const check = isDecided && found.length > 0 ? await settling.checkClaims(finished, found) : null;
  const shown = check?.shown ?? null;
  const claims: RunEvent[] = (check?.open ?? found).map(({ phrase, excerpt }) => ({
    type: "claim.unverified",
    key: command.key,
    phrase,
    excerpt,
    tree: harvest.tree,
    ...(shown === null ? {} : { shown }),
  }));
  const facts = [...forged, ...claims];
  const known = verificationOf(view, harvest.tree) !== null;
  if (claims.length === 0 || judged || known || shown !== null) return { facts, drafts: [] };
  return { facts, drafts: await verifyTree(context, commit) };
}

/** A block that repeats a record of the run is a quotation, not a forgery. */
async function forgedFacts(
  context: RunContext,
  { key, text }: { readonly key: string; readonly text: string },
): Promise<readonly RunEvent[]> {
  if (forgedBlocks(text).length === 0) return [];
  const known: TypedBlock[] = [];
  for (const { id } of context.session.view.records) {
    const record = await readRecord(context, id);
    if (record) known.push({ command: commandText(record), exitCode: exitText(record) });
  }
  return forgedBlocks(text, known).map(({ command, exitCode }) => ({
    type: "forged.block",
    key,
    command,
    exitCode,
  }));
}
