/**
 * What one open page is sent: rows of the list that changed, and the run that it shows, first whole and then what changed. Each
 * event has an id, from which a page that lost its connection goes on, and the build of the page, so that a page of an older
 * version says so.
 */
import type { SSEStreamingApi } from "hono/streaming";
import type { Clock } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import { changeOf } from "../../page/app/change.ts";
import type { RunNow } from "../../page/app/wire.ts";
import type { PageSession } from "../access/sessions.ts";
import type { Program } from "../replaced-program.ts";
import type { RunReader } from "../run-reader.ts";
import type { Watch } from "./watch.ts";

export interface StreamContext {
  readonly watch: Watch;
  readonly clock: Clock;
  readonly build: string;
  /** Names this start of the server: an id of another one says nothing. */
  readonly boot: string;
  readonly program: Pick<Program, "isReplaced">;
  readonly signal: AbortSignal;
}

export interface StreamRequest {
  readonly session: PageSession;
  /** The run that the page shows, or null. */
  readonly shown: { readonly repository: string; readonly reader: RunReader } | null;
  /** The id of the newest event that the page has. */
  readonly lastId: string | null;
}

/** A comment after so many milliseconds without an event tells both sides that the other one is there. */
const keepAliveMs = 15_000;
const maxPauseMs = 5_000;

export async function streamChanges(
  stream: SSEStreamingApi,
  { watch, clock, build, boot, program, signal }: StreamContext,
  { session, shown, lastId }: StreamRequest,
): Promise<void> {
  const ended = new AbortController();
  const done = AbortSignal.any([ended.signal, signal]);
  stream.onAbort(() => ended.abort());
  let isChanged = true;
  let wake: () => void = () => undefined;
  const stop = watch.listen(() => {
    isChanged = true;
    wake();
  }, shown?.repository ?? null);
  let sent = readId(lastId, boot);
  let sentKey = sent.run;
  /** What this connection has sent; a page that connects again is sent the whole run, unless it has it. */
  let sentRun: RunNow | null = null;
  let hasTold = false;
  let lastSentAt = clock.now();
  const send = async (event: string, data: object): Promise<void> => {
    const id = `${boot}.${sent.list}.${sentKey}`;
    await stream.writeSSE({ event, id, data: JSON.stringify({ build, ...data }) });
    lastSentAt = clock.now();
  };
  try {
    await watch.look();
    while (!done.aborted) {
      if (!hasTold && program.isReplaced()) {
        hasTold = true;
        await send("replaced", {});
      }
      if (isChanged) {
        isChanged = false;
        const changes = watch.since(sent.list);
        const isFirst = sent.list === 0;
        if (isFirst || changes.version !== sent.list) {
          sent = { ...sent, list: changes.version };
          await send("runs", { rows: changes.rows, removed: changes.removed });
        }
        const began = clock.now();
        const now = await shown?.reader.read(sentKey).catch(nothingYet);
        if (now !== undefined && now !== null) {
          sentKey = now.key;
          if (sentRun === null) await send("run", now);
          else await send("change", { from: sentRun.key, change: changeOf(sentRun, now) });
          sentRun = now;
          // A long run is read less often than it changes.
          await clock.sleep(Math.min(maxPauseMs, 4 * Math.abs(clock.now() - began)), done);
        }
      }
      // Whichever way the clock was set.
      if (Math.abs(clock.now() - lastSentAt) >= keepAliveMs) {
        if (!session.isOpen()) return await send("expired", {});
        await stream.write(": still here\n\n");
        lastSentAt = clock.now();
      }
      const woken = new AbortController();
      wake = () => woken.abort();
      if (!isChanged) await clock.sleep(keepAliveMs, AbortSignal.any([done, woken.signal]));
    }
  } finally {
    stop();
  }
}

/** A run may not be there yet; of a damaged journal the list says so. */
function nothingYet(error: unknown): null {
  if (error instanceof AppError) return null;
  throw error;
}

interface SentState {
  /** Version of the list. */
  readonly list: number;
  /** Key of the run's state. */
  readonly run: string;
}

function readId(id: string | null, boot: string): SentState {
  const [of, list = "", run = ""] = id?.split(".") ?? [];
  return of === boot && /^\d+$/u.test(list) ? { list: Number(list), run } : { list: 0, run: "" };
}
