/** Results by test id over the runs of tests. Pure. */
import type { EvidenceRecord } from "../../evidence/record.ts";
import { countsOf } from "./evidence.ts";
import type { TestRow, TestRunModel, TestsModel } from "./evidence-model.ts";
import type { RunFacts } from "./facts.ts";

/** Tests that a page shows. */
const maxRows = 2000;

export function testsOf({ view, records = new Map() }: Pick<RunFacts, "view" | "records">): TestsModel {
  const read = view.records.flatMap(({ id, at }) => {
    const record = records.get(id);
    return record === undefined || record.tests.length === 0 || !isOfWork(record) ? [] : [{ record, at }];
  });
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
  const columns = read.map(({ record }) => lettersOf(record));
  const ids = [...new Set([...required, ...columns.flatMap((column) => [...column.keys()])])];
  const rows = ids.map((id): TestRow => ({
    id,
    results: columns.map((column) => column.get(id) ?? "-").join(""),
    required: required.has(id),
  }));
  const first = rows.toSorted((a, b) => rank(a) - rank(b)).slice(0, maxRows);
  return { runs, rows: first, cut: rows.length - first.length };
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

function lettersOf({ tests }: EvidenceRecord): ReadonlyMap<string, string> {
  return new Map(tests.map(({ id, status }) => [id, letters[status]]));
}

const letters = { passed: "p", failed: "f", skipped: "s", todo: "s", pending: "s" } as const;
