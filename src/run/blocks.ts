/** The EXECUTION_BLOCK of a record of a run, with the blocks of the records inside it. */
import { parseRecord, type EvidenceRecord } from "../evidence/record.ts";
import { renderExecutionBlock } from "../views/gate/execution-block.ts";
import type { RunContext } from "./context.ts";

export async function readRecord(
  { session, payloads }: RunContext,
  id: string,
): Promise<EvidenceRecord | null> {
  const event = session.view.records.find((record) => record.id === id);
  return event ? parseRecord(JSON.parse(await payloads.text(event.ref))) : null;
}

/** @param lines last lines of a test run's output to show, at least 10 */
export async function blockOf(context: RunContext, id: string, lines = 10): Promise<string> {
  const record = await readRecord(context, id);
  if (!record) return "";
  const inner: EvidenceRecord[] = [];
  for (const innerId of record.inner) {
    const read = await readRecord(context, innerId);
    if (read && read.purpose !== "baseline" && !/repeat|confirm|canary|\.old$/u.test(read.purpose))
      inner.push(read);
  }
  return renderExecutionBlock(record, { lines: linesOf(record, lines), innerLines: lines, inner });
}

/** The block without those within it, for a record that was shown whole before. */
export async function outerBlockOf(context: RunContext, id: string): Promise<string> {
  const record = await readRecord(context, id);
  return record ? renderExecutionBlock(record, { lines: linesOf(record, 10) }) : "";
}

/** What `head -n 20` says of a document is shown whole, and so are the checks that a gate's output is. */
function linesOf({ title, purpose }: EvidenceRecord, lines: number): number {
  return title !== null || purpose === "documents" ? 40 : lines;
}
