/** Renders the EXECUTION_BLOCK of a record, with the blocks of its inner records. */
import { isRunOfBase } from "../evidence/judged-runs.ts";
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

/** @param lines number of last output lines to show, at least 10 */
export async function blockOf(context: RunContext, id: string, lines = 10): Promise<string> {
  const record = await readRecord(context, id);
  if (!record) return "";
  const inner = await Promise.all(record.inner.map((innerId) => readRecord(context, innerId)));
  return blockWith(
    record,
    inner.filter((read) => read !== null),
    lines,
  );
}

/** @param contained the records that it contains; only some are shown */
export function blockWith(record: EvidenceRecord, contained: readonly EvidenceRecord[], lines = 10): string {
  const inner = contained.filter(
    ({ purpose }) => !isRunOfBase(purpose) && !/repeat|confirm|canary|\.old$/u.test(purpose),
  );
  return renderExecutionBlock(record, { lines: linesOf(record, lines), innerLines: lines, inner });
}

/** Document excerpts (`head -n 20`) and a gate's list of checks are shown in full. */
function linesOf({ title, purpose }: EvidenceRecord, lines: number): number {
  return title !== null || purpose === "documents" ? 40 : lines;
}
