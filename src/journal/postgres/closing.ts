/** How connections to the store break and end: never as an error that nothing catches, and never in an unbounded wait. */
import { setTimeout as pause } from "node:timers/promises";
import type { Pool } from "pg";

const endMs = 1000;

/** Waits for a step of the end, whatever its result, at most a second: a server that hangs does not delay the end of the program. */
export async function bounded(step: Promise<unknown>): Promise<void> {
  const bound = new AbortController();
  await Promise.race([
    step.catch(() => undefined).finally(() => bound.abort()),
    pause(endMs, undefined, { signal: bound.signal }).catch(() => undefined),
  ]);
}

interface Connection {
  on(event: "error", listener: () => void): unknown;
}

/** For a connection that breaks while it is idle; a statement that waits gets the error itself. */
export function ignoreBreaks(connection: Connection): void {
  connection.on("error", () => undefined);
}

/** The same for the pool and each of its connections, which it replaces. */
export function ignoreBreaksIn(pool: Pool): void {
  ignoreBreaks(pool);
  pool.on("connect", ignoreBreaks);
}
