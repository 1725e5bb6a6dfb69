/** Results by test id over the runs of tests. Pure. */
import type { EvidenceRecord } from "../../evidence/record.ts";
import { countsOf } from "./evidence.ts";
import type { TestRow, TestRunModel, TestsModel } from "./evidence-model.ts";
import type { RunFacts } from "./facts.ts";

/** Tests that a page shows. */
const maxRows = 2000;

/** Runs of which single results are shown, the newest. */
const maxRuns = 300;

export function testsOf({ view, records = new Map() }: Pick<RunFacts, "view" | "records">): TestsModel {
  const all = view.records.flatMap(({ id, at }) => {
    const record = records.get(id);
    return record === undefined || record.tests.length === 0 || !isOfWork(record) ? [] : [{ record, at }];
  });
  const read = all.slice(-maxRuns);
  const runs = read.map(({ record, at }): TestRunModel => ({
    record: record.id,
    purpose: record.purpose,
    at,
    commit: record.commit,
    ...countsOf(record.tests),
  }));
  const required = new Set([
    ...(view.frozen?.required ?? []),
    ...Object.values(view.nodes).flatMap(({ locked }) => locked?.required ?? []),
    ...view.cyclesDone.flatMap((cycle) => cycle.required),
  ]);
  const results = resultsById(
    required,
    read.map(({ record }) => record),
  );
  const rows = [...results].map(([id, letters]): TestRow => ({
    id,
    results: letters.join(""),
    required: required.has(id),
  }));
  const first = rows.toSorted((a, b) => rank(a) - rank(b)).slice(0, maxRows);
  return { runs, earlier: all.length - read.length, rows: first, cut: rows.length - first.length };
}

/** Test id -> one letter for each run. */
function resultsById(
  required: ReadonlySet<string>,
  runs: readonly EvidenceRecord[],
): ReadonlyMap<string, readonly string[]> {
  const absent = runs.map(() => "-");
  const results = new Map([...required].map((id) => [id, [...absent]]));
  for (const [column, { tests }] of runs.entries())
    for (const { id, status } of tests) {
      let row = results.get(id);
      if (row === undefined) results.set(id, (row = [...absent]));
      row[column] = letters[status];
    }
  return results;
}

/** Other records repeat these results, or test the tests by a canary or changed expectations. */
function isOfWork({ purpose }: EvidenceRecord): boolean {
  return /^baseline$|[.]tests$/u.test(purpose);
}

/** What failed last is shown first, then what is required. */
function rank({ results, required }: TestRow): number {
  const last = results.replaceAll("-", "").at(-1);
  return last === "f" ? 0 : required ? 1 : 2;
}

const letters = { passed: "p", failed: "f", skipped: "s", todo: "s", pending: "s" } as const;
