/** The only source of time. Tests use `testing/manual-clock.ts`. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after `ms` milliseconds, or when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const done = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal?.addEventListener("abort", done, { once: true });
    }),
};

/** The stamp in a dialogue's name: `YYYYMMDDTHHMMSSmmmZ` in UTC. @param ms since the epoch */
export function stampOf(ms: number): string {
  return new Date(ms).toISOString().replaceAll(/[-:.]/gu, "");
}
