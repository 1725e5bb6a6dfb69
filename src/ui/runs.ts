/** The rows of the list of runs, over all repositories of this user. */
import { basename } from "node:path";
import type { RepositoryRow, RunRow } from "../page/app/wire.ts";
import { overviewOfRun } from "../run/run-status.ts";
import { gatesStamp } from "./stores/gates-stamp.ts";
import type { OpenedRepository, Stores } from "./stores/opened.ts";
import type { StoredRepository } from "./stores/repositories.ts";

export async function listRuns(stores: Stores): Promise<readonly RepositoryRow[]> {
  const rows: RepositoryRow[] = [];
  for (const repository of stores.list()) rows.push(await repositoryRow(stores, repository));
  return rows;
}

/** A repository whose journal is damaged or newer is shown with the fault, and breaks nothing else. */
export async function repositoryRow(stores: Stores, repository: StoredRepository): Promise<RepositoryRow> {
  const { id, folder, path } = repository;
  const about = {
    id,
    name: path === null ? id : basename(path),
    path,
    gone: folder === null,
    gates: gatesStamp(folder),
  };
  try {
    return { ...about, fault: null, runs: await runRows(await stores.open(id)) };
  } catch (error) {
    return { ...about, fault: error instanceof Error ? error.message : String(error), runs: [] };
  }
}

async function runRows({ journal, repository }: OpenedRepository): Promise<readonly RunRow[]> {
  const rows: RunRow[] = [];
  for (const run of await journal.runs()) {
    const { status, startedAt, endedAt } = await overviewOfRun(journal, run);
    const { task, protocol, phase, reason, spent, waiting } = status;
    const [first] = waiting;
    const waits = first === undefined ? null : (first.breaker?.trigger ?? first.text);
    const words = { task, protocol, status: status.status, phase, waits, reason };
    const costUsd = spent.cost_usd;
    rows.push({ repository: repository.id, run, ...words, costUsd, startedAt, endedAt });
  }
  return rows.toReversed();
}
