import { killNow, type Tree } from "./tree.ts";

/** The trees that run now. When this process exits in any orderly way, none of them outlives it. */
const live = new Set<Tree>();
let watching = false;

export function enlist(tree: Tree): () => void {
  if (!watching) process.on("exit", () => live.forEach(killNow));
  watching = true;
  live.add(tree);
  return () => live.delete(tree);
}
