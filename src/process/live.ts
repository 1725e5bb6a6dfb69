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
  // Who listens too ends in its own order.
  onEndSignal((signal, code) => process.listenerCount(signal) === 1 && process.exit(code));
}

export function enlist(tree: Tree): () => void {
  live.add(tree);
  return () => live.delete(tree);
}
