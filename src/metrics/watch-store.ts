/**
 * Looks at a shared store now and then, and keeps what it saw (SCL-10). The journal is counted once from its beginning, in parts; from then
 * on only new events are read. The counts are shown when all is counted, so that they begin where those of an earlier exporter ended.
 */
import {
  openFigures,
  type JobFigures,
  type RunHead,
  type StoreFigures,
} from "../journal/postgres/figures.ts";
import { countEvent, newRun, noTotals, type OpenRun, type Totals } from "./count-events.ts";

export interface Seen {
  /** Null: the store is away. */
  readonly now: {
    readonly jobs: JobFigures;
    readonly workers: number;
    /** Null: not counted yet. */
    readonly runs: { readonly open: number; readonly waiting: number } | null;
  } | null;
  /** Null: not counted yet. */
  readonly totals: Totals | null;
}

export interface StoreWatch {
  seen(): Seen;
  /** Looks once. @returns latency in milliseconds @throws the codes of the store; then `seen` says that it is away */
  look(): Promise<number>;
  close(): Promise<void>;
}

/** @param url of the store, which may be away @throws config_invalid */
export async function watchStore(url: string): Promise<StoreWatch> {
  const figures = await openFigures(url);
  const counter = runCounter(figures);
  const filled = zeroFilled();
  let now: Seen["now"] = null;
  return {
    seen: () => ({ now, totals: counter.totals() }),
    async look() {
      try {
        const latencyMs = await figures.latencyMs();
        const [jobs, workers] = await Promise.all([figures.jobs(), figures.liveWorkers()]);
        const runs = await counter.goOn();
        now = { jobs: filled(jobs), workers: workers.length, runs };
        return latencyMs;
      } catch (error) {
        now = null;
        throw error;
      }
    },
    close: () => figures.close(),
  };
}

/** What had jobs once and has none now is shown as 0: OpenTelemetry would go on with the last value. */
function zeroFilled(): (jobs: JobFigures) => JobFigures {
  const queues = new Map<string, JobFigures["queues"][number]>();
  const running = new Map<string, JobFigures["running"][number]>();
  return (jobs) => {
    for (const [name, one] of queues) queues.set(name, { ...one, waiting: 0, oldestMs: 0 });
    for (const [name, one] of running) running.set(name, { ...one, count: 0 });
    for (const one of jobs.queues) queues.set(one.queue, one);
    for (const one of jobs.running) running.set(`${one.kind} ${one.worker}`, one);
    return { queues: [...queues.values()], running: [...running.values()] };
  };
}

interface KnownRun extends OpenRun {
  /** Seq of the newest event that was counted. */
  readonly counted: number;
  readonly isEnded: boolean;
}

/** Of runs whose transactions overlap, a later id may be seen first. */
const overlap = 500;
const maxHeads = 5000;
/** Whose events one statement reads. */
const maxRuns = 200;
/** Bound of one look; the next one goes on. */
const maxPages = 20;

function runCounter(figures: StoreFigures) {
  const totals = noTotals();
  /** The open runs, and the newest ones. */
  const known = new Map<number, KnownRun>();
  let isCounted = false;
  let last = 0;

  const countPart = async (found: readonly RunHead[]): Promise<void> => {
    const unread = found
      .map((head) => ({ ...head, counted: known.get(head.id)?.counted ?? 0 }))
      .filter(({ head, counted }) => head > counted);
    const events = unread.length === 0 ? [] : await figures.eventsOf(unread);
    // From here on nothing fails, so no event is counted twice.
    for (const { id, head, isEnded } of found)
      known.set(id, { ...(known.get(id) ?? newRun()), counted: head, isEnded });
    for (const event of events) {
      const run = known.get(event.id);
      if (run !== undefined) countEvent(totals, run, event);
    }
    last = Math.max(last, ...found.map(({ id }) => id));
  };

  /** @returns whether there is nothing more to count */
  const countPage = async (): Promise<boolean> => {
    const open = isCounted ? [...known].filter(([, { isEnded }]) => !isEnded).map(([id]) => id) : [];
    const max = maxHeads + open.length;
    const found = await figures.runs(isCounted ? last - overlap : last, open, max);
    for (let at = 0; at < found.length; at += maxRuns) await countPart(found.slice(at, at + maxRuns));
    for (const [id, { isEnded }] of known) if (isEnded && id <= last - overlap) known.delete(id);
    return found.length < max;
  };

  return {
    totals: () => (isCounted ? totals : null),
    /** Counts what is new. @returns null if there is more than one look may read */
    async goOn() {
      for (let page = 0; page < maxPages; page++) {
        if (!(await countPage())) continue;
        isCounted = true;
        const open = [...known.values()].filter(({ isEnded }) => !isEnded);
        return { open: open.length, waiting: open.filter(({ asks }) => asks.size > 0).length };
      }
      return null;
    },
  };
}
