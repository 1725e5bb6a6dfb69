interface Closable {
  close(): Promise<void>;
}

export interface Lazy<Value> {
  readonly get: () => Promise<Value>;
  /** Closes the value if it was opened. */
  readonly close: () => Promise<void>;
}

/** Opens a value on first use, so that unused offers create no state. A failed open is retried. */
export function lazy<Value extends Closable>(open: () => Promise<Value>): Lazy<Value> {
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
