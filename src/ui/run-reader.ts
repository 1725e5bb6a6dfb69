/** Reads one run for a page: its model, and a key that changes whenever the model may have changed. */
import { environment } from "../config/env.ts";
import { AppError } from "../lib/errors.ts";
import { openRun } from "../families/open-run.ts";
import type { FamilyRun } from "../family/family.ts";
import { openHost, type OpenHost } from "../run/host.ts";
import { readModel } from "../overview/read-run.ts";
import type { RunNow } from "../page/app/wire.ts";
import { runStatus } from "../views/run/status.ts";
import { shownState } from "../views/run/shown-state.ts";
import { keptValues } from "./stores/kept-values.ts";
import { runTail, type RunTail } from "./live/run-tail.ts";
import type { Stores } from "./stores/opened.ts";

export interface RunReader {
  /** @param known the key of the model that the caller has @returns null if it is the same @throws run_unknown */
  read(known?: string): Promise<RunNow | null>;
}

export interface RunReaders {
  reader(repository: string, run: string): RunReader;
  close(): Promise<void>;
}

/** Runs whose events are kept; the one that was read longest ago makes room. */
const maxRuns = 8;

export function runReaders(stores: Stores): RunReaders {
  const kept = new Map<string, KeptRun>();
  return {
    reader: (repository, run) => ({
      async read(known) {
        const name = `${repository}/${run}`;
        const entry = kept.get(name) ?? keepRun(stores, repository, run);
        kept.delete(name);
        const now = await entry.read(known);
        kept.set(name, entry);
        const [oldest] = kept;
        if (kept.size > maxRuns && oldest !== undefined) {
          kept.delete(oldest[0]);
          await oldest[1].close();
        }
        return now;
      },
    }),
    async close() {
      await Promise.all([...kept.values()].map((entry) => entry.close()));
    },
  };
}

interface KeptRun {
  read(known?: string): Promise<RunNow | null>;
  close(): Promise<void>;
}

function keepRun(stores: Stores, id: string, run: string): KeptRun {
  const tail = runTail(run);
  const values = keptValues();
  let host: OpenHost | null = null;
  let context: FamilyRun | null = null;
  let newest: RunNow | null = null;
  let reading: Promise<unknown> = Promise.resolve();

  const hostOf = async (folder: string): Promise<OpenHost> =>
    (host ??= await openHost(folder, environment()));
  const opened = async (folder: string): Promise<FamilyRun> => {
    context ??= await openRun(await hostOf(folder), { run, events: tail.events() });
    await context.session.refresh();
    return context;
  };

  const read = async (): Promise<RunNow> => {
    const { repository, journal, payloads } = await stores.open(id);
    await tail.refresh(journal);
    const [view, owner] = [tail.view(), tail.owner()];
    if (view.started === null)
      throw new AppError("run_unknown", `there is no run ${run}`, { hint: "the list has all runs" });
    const key = `${view.seq}-${owner ?? ""}`;
    if (newest?.key === key) return newest;
    const { folder } = repository;
    const model = await readModel(factsOf(tail), {
      stored: values.of(payloads),
      repository: folder === null ? null : (await hostOf(folder)).repository,
      open: () => (folder === null ? Promise.reject(new Error("the repository is gone")) : opened(folder)),
    });
    newest = { key, seq: view.seq, state: shownState(runStatus(view, { owner })), model };
    return newest;
  };

  return {
    /** One reading at a time; those that wait get the newest model. */
    async read(known) {
      const next = reading.then(read);
      reading = next.catch(() => undefined);
      const now = await next;
      return now.key === known ? null : now;
    },
    async close() {
      await reading;
      await host?.journal.close();
    },
  };
}

function factsOf(tail: RunTail) {
  return { view: tail.view(), events: tail.events(), owner: tail.owner() };
}
