/** What a record may not claim about its own output. Pure. */
import { lastLines } from "../../lib/text.ts";
import { gateCommand } from "../gate-command.ts";
import type { EvidenceRecord } from "../record.ts";

/** How many last lines a record holds. */
export const tailLines = 40;

/** @param output its full text. @returns why the record contradicts it, or null */
export function outputFault(record: EvidenceRecord, output: string): string | null {
  const last = lastLines(output, tailLines);
  if (record.lastLines.length !== last.length)
    return `it has ${record.lastLines.length} last lines, and its output ${last.length}: some were cut`;
  if (record.lastLines.join("\n") !== last.join("\n"))
    return "its last lines are not those of its output: the log was cut or exchanged";
  if (gateCommand(record) === null || record.verdict !== "pass") return null;
  const verdict = last.at(-1) ?? "";
  if (verdict !== "verdict: pass") return `it passed, and its output ends with "${verdict}"`;
  const other = last.find((line) => /^(?:fail|inconclusive) /u.test(line));
  return other === undefined ? null : `it passed, and its output says "${other}"`;
}
