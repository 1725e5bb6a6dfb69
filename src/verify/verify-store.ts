/** What the store still holds of a record, and whether every block that a person was shown is a record's own (CORE-41). */
import { holdsBlock } from "../views/gate/execution-block.ts";
import { parseRecord, type EvidenceRecord } from "../evidence/record.ts";
import { canonicalJson } from "../lib/hash.ts";
import { blockOf } from "../run/blocks.ts";
import type { RunContext } from "../run/context.ts";
import { storedText } from "../run/stored-text.ts";

/** What is wrong with the record as it is stored, or null. */
export async function storeFault(context: RunContext, record: EvidenceRecord): Promise<string | null> {
  const written = context.session.view.records.find(({ id }) => id === record.id);
  const stored = written ? await storedText(context, written.ref) : null;
  if (stored === null) return "it is gone from the store, or was changed there";
  // Compared as this version reads them: a later one may have added fields.
  if (canonicalJson(parseRecord(JSON.parse(stored))) !== canonicalJson(record))
    return "the stored record is not the signed one";
  return (await storedText(context, record.output)) === null ? "its output is gone, or was changed" : null;
}

/** The first thing shown to a person whose block is not that of its record. */
export async function shownFault(
  context: RunContext,
): Promise<{ readonly record: string; readonly why: string } | null> {
  const { asks, records } = context.session.view;
  for (const { shown, text } of Object.values(asks)) {
    const record = records.find(({ ref }) => ref === shown["record"]);
    if (record && !holdsBlock(text, await blockOf(context, record.id)))
      return { record: record.id, why: "the block that was shown is not the one of the record" };
  }
  return null;
}
