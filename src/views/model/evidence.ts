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
  const shown = recordsWithOutput(records, view.records);
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
      run: record === undefined ? null : executed(record, shown.get(id) ?? []),
    };
  });
}

function executed(record: EvidenceRecord, lastLines: readonly string[]): ExecutedModel {
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
    lastLines,
    output,
    inner,
  };
}

/** The newest records with their last lines, as far as these are not too much for a page. */
function recordsWithOutput(
  records: ReadonlyMap<string, EvidenceRecord>,
  written: RunFacts["view"]["records"],
): ReadonlyMap<string, readonly string[]> {
  let left = maxOutput;
  const shown = new Map<string, readonly string[]>();
  for (const { id } of written.toReversed()) {
    const record = records.get(id);
    if (record === undefined || left <= 0) continue;
    const lines = record.lastLines.slice(-maxLines).map((line) => clipLine(cleanLine(line), maxLineBytes));
    left -= lines.reduce((sum, line) => sum + line.length, 0);
    shown.set(id, lines);
  }
  return shown;
}

const maxLines = 20;
const maxLineBytes = 500;
/** Characters of all records together. */
const maxOutput = 1_000_000;

export function countsOf(tests: EvidenceRecord["tests"]): ExecutedModel["counts"] {
  let passed = 0;
  let failed = 0;
  for (const { status } of tests) {
    if (status === "passed") passed += 1;
    if (status === "failed") failed += 1;
  }
  return { passed, failed, skipped: tests.length - passed - failed };
}
