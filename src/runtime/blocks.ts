/** The EXECUTION_BLOCK of a record of a run, with the blocks of the records inside it. */
import { EvidenceRecord } from "../evidence/record.ts";
import { renderExecutionBlock } from "../views/execution-block.ts";
import type { RunContext } from "./context.ts";

export async function readRecord(
  { session, payloads }: RunContext,
  id: string,
): Promise<EvidenceRecord | null> {
  const event = session.view.records.find((record) => record.id === id);
  return event ? EvidenceRecord.parse(JSON.parse(await payloads.text(event.ref))) : null;
}

/** @param lines last lines of output to show, at least 10 */
export async function blockOf(context: RunContext, id: string, lines = 10): Promise<string> {
  const record = await readRecord(context, id);
  if (!record) return "";
  const inner: EvidenceRecord[] = [];
  for (const innerId of record.inner) {
    const read = await readRecord(context, innerId);
    if (read && read.purpose !== "baseline" && !/repeat|confirm|canary/u.test(read.purpose)) inner.push(read);
  }
  return renderExecutionBlock(record, { lines, inner });
}
