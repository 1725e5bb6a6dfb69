/** The news of runs in a shared store: one connection for each URL and process listens for all that wait (SCL-11). */
import { systemClock } from "../../lib/clock.ts";
import type { News } from "../news.ts";
import { listenToChanges, type Changes, type ChangedRun } from "./changes.ts";

/** While the connection is there, a lost announcement costs that time. */
const listeningMs = 5000;
const lookMs = 1000;

interface Listening {
  readonly changes: Changes;
  users: number;
}

const byUrl = new Map<string, Listening>();

/** Listens until it is ended. */
export function newsOf(url: string, changed: ChangedRun): News {
  const listening = byUrl.get(url) ?? { changes: listenToChanges({ url }), users: 0 };
  byUrl.set(url, listening);
  listening.users += 1;
  const { changes } = listening;
  let isNew = false;
  let wake: () => void = () => undefined;
  const stop = changes.onChange(changed, () => {
    isNew = true;
    wake();
  });
  let isEnded = false;
  return {
    async next(signal) {
      const woken = new AbortController();
      wake = () => woken.abort();
      const end = () => woken.abort();
      signal.addEventListener("abort", end, { once: true });
      if (isNew || signal.aborted) woken.abort();
      await systemClock.sleep(changes.isListening() ? listeningMs : lookMs, woken.signal);
      signal.removeEventListener("abort", end);
      isNew = false;
    },
    async end() {
      if (isEnded) return;
      isEnded = true;
      stop();
      listening.users -= 1;
      if (listening.users > 0) return;
      byUrl.delete(url);
      await changes.close();
    },
  };
}
