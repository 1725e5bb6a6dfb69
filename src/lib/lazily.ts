interface Closable {
  close(): Promise<void>;
}

export interface Lazy<Value> {
  readonly get: () => Promise<Value>;
  /** Only what was opened. */
  readonly close: () => Promise<void>;
}

/** Opened by the first call that needs it: who only offers something makes no state. A failure is tried again. */
export function lazily<Value extends Closable>(open: () => Promise<Value>): Lazy<Value> {
  let opened: Promise<Value> | null = null;
  return {
    get: () =>
      (opened ??= open().catch((error: unknown) => {
        opened = null;
        throw error;
      })),
    close: async () => (await opened?.catch(() => null))?.close(),
  };
}
