/** Why a process must end before it ends by itself: too long, too quiet, or no longer wanted. */
export type EndReason = "wall" | "idle" | "abort";

export interface Deadline {
  /** Resolves when the first of them strikes; never, once cleared. */
  readonly expired: Promise<EndReason>;
  /** There was output: the idle time starts again. */
  touch(): void;
  clear(): void;
}

export interface DeadlineOptions {
  readonly timeoutMs: number;
  readonly idleMs?: number | undefined;
  /** It works and need not say so: then its idle time starts again. */
  readonly busy?: (() => boolean) | undefined;
  readonly signal?: AbortSignal | undefined;
}

// A longer timer would strike at once.
const longestTimer = 2 ** 31 - 1;

export function deadline(options: DeadlineOptions): Deadline {
  let expire: (reason: EndReason) => void = () => {};
  const struck = new Promise<EndReason>((resolve) => (expire = resolve));
  const wall = setTimeout(() => expire("wall"), Math.min(options.timeoutMs, longestTimer));
  const quiet = () => (options.busy?.() === true ? idle?.refresh() : expire("idle"));
  const idle =
    options.idleMs === undefined ? null : setTimeout(quiet, Math.min(options.idleMs, longestTimer));
  const abort = () => expire("abort");
  options.signal?.addEventListener("abort", abort, { once: true });
  return {
    expired: struck,
    touch: () => idle?.refresh(),
    clear: () => {
      clearTimeout(wall);
      if (idle !== null) clearTimeout(idle);
      options.signal?.removeEventListener("abort", abort);
    },
  };
}
