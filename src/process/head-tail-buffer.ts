/** Keeps the head and the tail of a stream in bounded memory, and counts its length. */
export interface HeadTailBuffer {
  push(chunk: Buffer): void;
  /** Bytes seen, kept or not. */
  bytes(): number;
  /** Everything if it fits into the limit, else the head and the tail, half of the limit each. */
  contents(): Buffer;
}

export function headTailBuffer(limit: number): HeadTailBuffer {
  const head = growing(Math.ceil(limit / 2));
  const tail = sliding(limit - Math.ceil(limit / 2));
  let seen = 0;
  return {
    push: (chunk) => {
      seen += chunk.length;
      const taken = head.push(chunk);
      if (taken < chunk.length) tail.push(chunk.subarray(taken));
    },
    bytes: () => seen,
    contents: () => Buffer.concat([head.contents(), tail.contents()]),
  };
}

function growing(limit: number) {
  let store = Buffer.alloc(0);
  let used = 0;
  return {
    /** @returns number of bytes stored */
    push(chunk: Buffer): number {
      const taken = Math.min(chunk.length, limit - used);
      store = withRoom(store, used, used + taken);
      chunk.copy(store, used, 0, taken);
      used += taken;
      return taken;
    },
    contents: () => store.subarray(0, used),
  };
}

/** Holds at least the last `limit` bytes. The store has twice that size, so that it is copied once per `limit` bytes. */
function sliding(limit: number) {
  let store = Buffer.alloc(0);
  let used = 0;
  return {
    push(chunk: Buffer): void {
      const wanted = chunk.subarray(Math.max(0, chunk.length - limit));
      if (used + wanted.length > 2 * limit) {
        store.copyWithin(0, used - limit, used);
        used = limit;
      }
      store = withRoom(store, used, used + wanted.length);
      wanted.copy(store, used);
      used += wanted.length;
    },
    contents: () => store.subarray(Math.max(0, used - limit), used),
  };
}

function withRoom(store: Buffer<ArrayBuffer>, used: number, needed: number): Buffer<ArrayBuffer> {
  if (needed <= store.length) return store;
  const larger = Buffer.allocUnsafe(Math.max(needed, 2 * store.length, 4096));
  store.copy(larger, 0, 0, used);
  return larger;
}
