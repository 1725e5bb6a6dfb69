/** Whether the end of a run is proved by its records. Pure. */
import { rootMerge } from "../../log/nodes.ts";
import type { RunView } from "../../log/run-view.ts";

/** The record that proves the result: of the last merge of a graph, else of the final or the newest verification. */
export function provingRecord({ records, nodes }: Pick<RunView, "records" | "nodes">) {
  const commit = rootMerge(nodes)?.commit;
  const newest = (wanted: string) => records.findLast(({ purpose }) => purpose === wanted);
  const merge = records.findLast((record) => record.purpose === "squash" && record.commit === commit);
  return merge ?? newest("final") ?? newest("green") ?? null;
}

export function proofPassed(view: Pick<RunView, "records" | "nodes">): boolean {
  const record = provingRecord(view);
  return record !== null && record.verdict === "pass" && record.exitCode === 0;
}
