import type { Graph } from "./graph.ts";

export interface LazyGraph {
  readonly get: () => Promise<Graph>;
  /** Only what was opened. */
  readonly close: () => Promise<void>;
}

/** Opened by the first call that needs it: who only offers the graph makes no state. A failure is tried again. */
export function lazily(open: () => Promise<Graph>): LazyGraph {
  let opened: Promise<Graph> | null = null;
  return {
    get: () =>
      (opened ??= open().catch((error: unknown) => {
        opened = null;
        throw error;
      })),
    close: async () => (await opened?.catch(() => null))?.close(),
  };
}
