/** The signals that ask a program to end, with the exit codes of shells: Ctrl-C, a service manager, a terminal that was closed. */
const endSignals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

export type EndSignal = keyof typeof endSignals;

/** Calls the listener at each of them instead of ending this process. Returns what takes it back. */
export function onEndSignal(listener: (signal: EndSignal, code: number) => unknown): () => void {
  const names = Object.keys(endSignals) as EndSignal[];
  const added = names.map((name) => {
    const hear = () => void listener(name, endSignals[name]);
    process.on(name, hear);
    return () => void process.off(name, hear);
  });
  return () => added.forEach((remove) => remove());
}
