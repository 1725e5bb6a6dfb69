import type { Clock } from "../lib/clock.ts";

/** A clock that only moves by `advance`; sleepers wake in time order. */
export interface ManualClock extends Clock {
  advance(ms: number): Promise<void>;
  /** Number of sleepers, for tests that wait for one. */
  sleeping(): number;
}

interface Sleeper {
  readonly until: number;
  readonly wake: () => void;
}

export function manualClock(start: string | number = "2026-01-01T00:00:00.000Z"): ManualClock {
  let now = typeof start === "number" ? start : Date.parse(start);
  const sleepers = new Set<Sleeper>();

  return {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted || ms <= 0) return resolve();
        const wake = () => {
          sleepers.delete(sleeper);
          signal?.removeEventListener("abort", wake);
          resolve();
        };
        const sleeper: Sleeper = { until: now + ms, wake };
        sleepers.add(sleeper);
        signal?.addEventListener("abort", wake, { once: true });
      }),
    async advance(ms) {
      const end = now + ms;
      for (;;) {
        const next = [...sleepers]
          .filter((sleeper) => sleeper.until <= end)
          .sort((a, b) => a.until - b.until)[0];
        if (next === undefined) break;
        now = Math.max(now, next.until);
        next.wake();
        // Lets the resumed code run, so that it can sleep again within the same span.
        await new Promise((resolve) => setImmediate(resolve));
      }
      now = end;
    },
    sleeping: () => sleepers.size,
  };
}
