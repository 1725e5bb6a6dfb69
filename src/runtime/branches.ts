/** The branches of a run: `mettle/<run>/work` follows what gates accepted, `mettle/<run>/result` is what was proven. */
import { readRef, updateRef } from "../git/refs.ts";
import type { RunContext } from "./context.ts";

export function workBranch(run: string): string {
  return `refs/heads/mettle/${run}/work`;
}

export function resultBranch(run: string): string {
  return `refs/heads/mettle/${run}/result`;
}

/** Moves a branch of the run by compare-and-swap. Done twice it changes nothing. */
export async function moveBranch({ repository }: RunContext, ref: string, to: string): Promise<void> {
  const now = await readRef(repository, ref);
  if (now !== to) await updateRef(repository, { ref, to, from: now });
}
