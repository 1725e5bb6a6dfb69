/**
 * Sends a page what agents say and do while they work. It looks at their files while somebody watches, whichever process drives
 * the run; each entry is sent once.
 */
import type { SSEStreamingApi } from "hono/streaming";
import type { StateHome } from "../../config/home.ts";
import type { Clock } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import { fileStamp } from "../../lib/files.ts";
import type { SaidEvent } from "../../page/app/wire.ts";
import { readSaid, saidFile } from "../../run/live/said-file.ts";
import { cleaned } from "../../views/model/clean.ts";
import type { PageSession } from "../access/sessions.ts";

export interface SaidRequest {
  readonly session: PageSession;
  /** Key of a dispatch and its file. */
  readonly files: readonly (readonly [key: string, file: string])[];
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** More steps are not followed at once. */
const maxKeys = 8;

/** The files of some dispatches of a run. @throws run_unknown for what is no id */
export function saidFiles(
  home: StateHome,
  { run, keys }: { readonly run: string; readonly keys: readonly string[] },
): SaidRequest["files"] {
  if (!/^[\w-]{1,100}$/u.test(run))
    throw new AppError("run_unknown", `there is no run ${run}`, { hint: "the list has all runs" });
  return keys.slice(0, maxKeys).map((key) => [key, saidFile(home, run, key)]);
}

/** Milliseconds between two looks; with what the writer waits, well within a second. */
const lookMs = 300;
const keepAliveMs = 15_000;

export async function streamSaid(
  stream: SSEStreamingApi,
  { session, files, clock, signal }: SaidRequest,
): Promise<void> {
  const ended = new AbortController();
  const done = AbortSignal.any([ended.signal, signal]);
  stream.onAbort(() => ended.abort());
  const followed = files.map(([key, file]) => ({ key, file, stamp: "", last: 0 }));
  let checkedAt = clock.now();
  await stream.write(": here\n\n");
  while (!done.aborted) {
    for (const one of followed) {
      const stamp = fileStamp(one.file);
      if (stamp === one.stamp) continue;
      one.stamp = stamp;
      const all = await readSaid(one.file);
      if (all === null) continue; // not begun, or settled
      const last = all.at(-1)?.n ?? 0;
      // The first look of this page, or the step was begun again.
      const anew = one.last === 0 || last < one.last;
      const entries = anew ? all : all.filter(({ n }) => n > one.last);
      if (entries.length === 0 && last >= one.last) continue;
      one.last = last;
      const event: SaidEvent = cleaned({ key: one.key, entries, anew });
      await stream.writeSSE({ event: "said", data: JSON.stringify(event) });
    }
    if (Math.abs(clock.now() - checkedAt) >= keepAliveMs) {
      if (!session.isOpen()) return;
      await stream.write(": still here\n\n");
      checkedAt = clock.now();
    }
    await clock.sleep(lookMs, done);
  }
}
