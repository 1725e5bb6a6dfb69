/** Checks that the store holds each record, and that each block shown to a person is from its record (CORE-41). */
import { containsBlock } from "../views/gate/execution-block.ts";
import { outputFault } from "../evidence/overclaim/output-rules.ts";
import { parseRecord, type EvidenceRecord } from "../evidence/record.ts";
import { canonicalJson } from "../lib/hash.ts";
import { blockOf } from "../run/blocks.ts";
import type { RunContext } from "../run/context.ts";
import { storedText } from "../run/stored-text.ts";

/** The fault of the stored record, or null. */
export async function storeFault(context: RunContext, record: EvidenceRecord): Promise<string | null> {
  const written = context.session.view.records.find(({ id }) => id === record.id);
  const stored = written ? await storedText(context, written.ref) : null;
  if (stored === null) return "it is gone from the store, or was changed there";
  // Both are parsed first: a later version may have added fields.
  if (canonicalJson(parseRecord(JSON.parse(stored))) !== canonicalJson(record))
    return "the stored record is not the signed one";
  const output = await storedText(context, record.output);
  return output === null ? "its output is gone, or was changed" : outputFault(record, output);
}

/** The first ask whose shown block differs from its record. */
export async function shownFault(
  context: RunContext,
): Promise<{ readonly record: string; readonly why: string } | null> {
  const { asks, records } = context.session.view;
  for (const { shown, text } of Object.values(asks)) {
    const record = records.find(({ ref }) => ref === shown["record"]);
    if (record && !containsBlock(text, await blockOf(context, record.id)))
      return { record: record.id, why: "the shown block differs from the record" };
  }
  return null;
}
