/** The branches of a run: `mettle/<run>/work` has the accepted commits, `mettle/<run>/result` the proven result. */
import { pointRefs } from "../git/refs.ts";
import type { RunContext } from "./context.ts";

export function workBranch(run: string): string {
  return `refs/heads/mettle/${run}/work`;
}

export function resultBranch(run: string): string {
  return `refs/heads/mettle/${run}/result`;
}

/** Moves a branch of the run. Idempotent. */
export async function moveBranch({ repository }: RunContext, ref: string, to: string): Promise<void> {
  await pointRefs(repository, [{ ref, commit: to }]);
}
