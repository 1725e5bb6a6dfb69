/** News of a run: wakes who waits for what other processes append to it (SCL-11). */
import { systemClock } from "../lib/clock.ts";

export interface News {
  /**
   * Resolves when another process may have appended to the run since the last call, when the signal aborts, and at the latest after some
   * seconds: an announcement may be lost.
   */
  next(signal: AbortSignal): Promise<void>;
  /** Waits at most a moment. */
  end(): Promise<void>;
}

/** Of a local store, which announces nothing: its reader looks each second. */
export const newsByLooking: News = {
  next: (signal) => systemClock.sleep(lookMs, signal),
  end: () => Promise.resolve(),
};

const lookMs = 1000;
