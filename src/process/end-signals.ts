/** Signals that request termination: Ctrl-C, a service manager, a closed terminal. */
const endSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export type EndSignal = (typeof endSignals)[number];

/** Calls the listener instead of ending this process. @returns a function that removes the listener */
export function onEndSignal(listener: (signal: EndSignal) => void): () => void {
  for (const name of endSignals) process.on(name, listener);
  return () => {
    for (const name of endSignals) process.off(name, listener);
  };
}
