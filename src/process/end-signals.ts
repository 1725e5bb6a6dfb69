/** The signals that ask a program to end: Ctrl-C, a service manager, a terminal that was closed. */
const endSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export type EndSignal = (typeof endSignals)[number];

/** Calls the listener at each of them instead of ending this process. Returns what takes it back. */
export function onEndSignal(listener: (signal: EndSignal) => void): () => void {
  for (const name of endSignals) process.on(name, listener);
  return () => {
    for (const name of endSignals) process.off(name, listener);
  };
}
