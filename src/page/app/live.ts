/** Follows the server's events. A hidden page closes its stream, since a browser keeps few open at once for one server. */
import { effect } from "@preact/signals";
import { askText } from "../parts/words.ts";
import { hasSession } from "./api.ts";
import { changed, changeOf, type Change } from "./change.ts";
import { connection, news, place, repositories, shownRun } from "./state.ts";
import type { RepositoryRow, RunNow, RunRow } from "./wire.ts";

interface RunsEvent {
  readonly build: string;
  readonly rows: readonly RepositoryRow[];
  readonly removed: readonly string[];
}

type RunEvent = RunNow & { readonly build: string };

interface ChangeEvent {
  readonly build: string;
  /** Key of the run that the change is of. */
  readonly from: string;
  readonly change: Change;
}

const reopenMs = 2_000;

export function followEvents(): void {
  let source: EventSource | null = null;
  let timer = 0;

  const close = (): void => {
    source?.close();
    source = null;
    window.clearTimeout(timer);
  };

  const open = (): void => {
    close();
    if (document.hidden || connection.value === "ended" || connection.value === "other-build") return;
    const shown = place.peek();
    const query = shown === null ? "" : `?${new URLSearchParams({ ...shown }).toString()}`;
    source = new EventSource(`api/live${query}`);
    source.addEventListener("open", () => (connection.value = "live"));
    source.addEventListener("runs", ({ data }: MessageEvent<string>) =>
      takeRuns(JSON.parse(data) as RunsEvent),
    );
    source.addEventListener("run", ({ data }: MessageEvent<string>) => takeRun(JSON.parse(data) as RunEvent));
    source.addEventListener("change", ({ data }: MessageEvent<string>) =>
      takeChange(JSON.parse(data) as ChangeEvent),
    );
    source.addEventListener("replaced", () => (connection.value = "replaced"));
    source.addEventListener("expired", () => end("ended"));
    source.addEventListener("error", () => void lost());
  };

  const end = (how: "ended" | "other-build"): void => {
    connection.value = how;
    close();
  };

  /** The browser itself opens a lost stream again, but not one that was refused. */
  const lost = async (): Promise<void> => {
    if (connection.value === "live") connection.value = "lost";
    if ((await hasSession()) === false) return end("ended");
    if (source?.readyState !== EventSource.CLOSED) return;
    window.clearTimeout(timer);
    timer = window.setTimeout(open, reopenMs);
  };

  const takeRuns = ({ build, rows, removed }: RunsEvent): void => {
    if (isOther(build)) return end("other-build");
    const before = repositories.peek();
    const now = new Map(before);
    for (const id of removed) now.delete(id);
    for (const row of rows) now.set(row.id, row);
    repositories.value = now;
    if (before.size > 0) tell(before, rows);
  };

  const takeRun = ({ build, ...now }: RunEvent): void => {
    if (isOther(build)) return end("other-build");
    if (now.model.run !== place.peek()?.run) return;
    const before = shownRun.peek();
    const change = before === null ? null : changeOf(before, now);
    // Parts that are as before stay the same objects, and are not drawn again.
    shownRun.value = before === null || change === null ? now : (changed(before, change) as RunNow);
  };

  const takeChange = ({ build, from, change }: ChangeEvent): void => {
    if (isOther(build)) return end("other-build");
    const before = shownRun.peek();
    // A new connection begins with the whole run.
    if (before?.key !== from) return open();
    shownRun.value = changed(before, change) as RunNow;
  };

  document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
  effect(() => {
    void place.value; // another run, another stream
    open();
  });
}

function isOther(build: string): boolean {
  return build !== document.documentElement.dataset["build"];
}

/** Says which runs began to wait, or ended. */
function tell(before: ReadonlyMap<string, RepositoryRow>, rows: readonly RepositoryRow[]): void {
  for (const { id, runs } of rows)
    for (const run of runs) {
      const old = before.get(id)?.runs.find((one) => one.run === run.run);
      const sentence = newsOf(old, run);
      if (sentence !== null) news.value = sentence;
    }
}

function newsOf(old: RunRow | undefined, { run, status, waits, task }: RunRow): string | null {
  if (old === undefined) return `run ${run} has begun: ${task}`;
  if (waits !== null && waits !== old.waits) return `run ${run} waits: ${askText(waits)}`;
  return status === old.status ? null : `run ${run} is ${status}`;
}
