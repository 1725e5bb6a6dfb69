/** Why a process is ended: wall-clock limit, idle limit, or abort. */
export type EndReason = "wall" | "idle" | "abort";

export interface Deadline {
  /** Resolves at the first reason; never after `clear`. */
  readonly expired: Promise<EndReason>;
  /** Restarts the idle time, after output. */
  touch(): void;
  clear(): void;
}

export interface DeadlineOptions {
  readonly timeoutMs: number;
  readonly idleMs?: number | undefined;
  /** Called after the idle time; true restarts it. */
  readonly busy?: (() => boolean) | undefined;
  readonly signal?: AbortSignal | undefined;
}

// A longer timer would fire at once.
const longestTimer = 2 ** 31 - 1;

export function deadline(options: DeadlineOptions): Deadline {
  let expire: (reason: EndReason) => void = () => {};
  const expired = new Promise<EndReason>((resolve) => (expire = resolve));
  const wall = setTimeout(() => expire("wall"), Math.min(options.timeoutMs, longestTimer));
  const quiet = () => (options.busy?.() === true ? idle?.refresh() : expire("idle"));
  const idle =
    options.idleMs === undefined ? null : setTimeout(quiet, Math.min(options.idleMs, longestTimer));
  const abort = () => expire("abort");
  options.signal?.addEventListener("abort", abort, { once: true });
  return {
    expired,
    touch: () => idle?.refresh(),
    clear: () => {
      clearTimeout(wall);
      if (idle !== null) clearTimeout(idle);
      options.signal?.removeEventListener("abort", abort);
    },
  };
}
