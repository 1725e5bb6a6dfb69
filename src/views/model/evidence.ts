/** Records, results by test, and mutants. Pure. */
import type { EvidenceRecord } from "../../evidence/record.ts";
import { cleanLine, clipLine } from "../../lib/text.ts";
import { commandText } from "../gate/execution-block.ts";
import { exitText } from "../exit-text.ts";
import type { ExecutedModel, RecordModel } from "./evidence-model.ts";
import type { RunFacts } from "./facts.ts";

export function recordsOf({
  view,
  records = new Map(),
}: Pick<RunFacts, "view" | "records">): readonly RecordModel[] {
  const inPassing = new Set(
    [...records.values()].flatMap(({ verdict, inner }) => (verdict === "pass" ? inner : [])),
  );
  return view.records.map((event) => {
    const record = records.get(event.id);
    const { id, key, phase, purpose, verdict, exitCode, commit, tree, at, failing } = event;
    return {
      id,
      key,
      phase,
      purpose,
      verdict,
      asItMust: verdict === "fail" && inPassing.has(id),
      exit: record === undefined ? String(exitCode ?? "none") : exitText(record),
      commit,
      tree,
      at,
      failing,
      run: record === undefined ? null : executed(record),
    };
  });
}

function executed(record: EvidenceRecord): ExecutedModel {
  const { runner, isolation, started, ended, tests, required, controls, reasons, output, inner } = record;
  return {
    command: commandText(record),
    runner: runner === null ? null : [runner.name, runner.version].filter((part) => part !== null).join(" "),
    isolation,
    startedAt: started,
    durationMs: Math.max(0, Date.parse(ended) - Date.parse(started)),
    counts: countsOf(tests),
    required: required.length,
    controls,
    reasons,
    lastLines: record.lastLines.slice(-maxLines).map((line) => clipLine(cleanLine(line), maxLineBytes)),
    output,
    inner,
  };
}

const maxLines = 20;
const maxLineBytes = 500;

export function countsOf(tests: EvidenceRecord["tests"]): ExecutedModel["counts"] {
  const count = (wanted: string): number => tests.filter(({ status }) => status === wanted).length;
  const passed = count("passed");
  const failed = count("failed");
  return { passed, failed, skipped: tests.length - passed - failed };
}
