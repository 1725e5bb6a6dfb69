import { onEndSignal } from "./end-signals.ts";
import { killNow, type Tree } from "./tree.ts";

/** The trees that run now. However this process is asked to end, none of them outlives it. */
const live = new Set<Tree>();
let watching = false;

/** Before the first of them is started. */
export function watchOwnEnd(): void {
  if (watching) return;
  watching = true;
  process.on("exit", () => live.forEach(killNow));
  const stop = onEndSignal((signal) => {
    // Who listens too ends in its own order.
    if (process.listenerCount(signal) > 1) return;
    live.forEach(killNow);
    stop();
    process.kill(process.pid, signal);
  });
}

export function enlist(tree: Tree): () => void {
  live.add(tree);
  return () => live.delete(tree);
}
