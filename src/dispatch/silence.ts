/** Detects a silent agent (V3-49). Partial text counts as output, and so does a running tool. */
import type { AgentEvent } from "../agents/agent.ts";
import type { Clock } from "../lib/clock.ts";

export interface SilenceWatch {
  onEvent(event: AgentEvent): void;
  stop(): void;
}

/** @param onSilent called after each `afterMs` milliseconds without an event or a running tool */
export function watchSilence(clock: Clock, afterMs: number, onSilent: () => void): SilenceWatch {
  const ended = new AbortController();
  let last = clock.now();
  let tools = 0;
  const watch = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      const rest = last + afterMs - clock.now();
      if (rest > 0) await clock.sleep(rest, ended.signal);
      else {
        last = clock.now();
        if (tools === 0) onSilent();
      }
    }
  };
  void watch();
  return {
    onEvent(event) {
      last = clock.now();
      if (event.type === "running") ({ tools } = event);
    },
    stop: () => ended.abort(),
  };
}
