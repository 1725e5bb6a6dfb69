/** The branches of a run: `mettle/<run>/work` follows what gates accepted, `mettle/<run>/result` is what was proven. */
import { pointRefs } from "../git/refs.ts";
import type { RunContext } from "./context.ts";

export function workBranch(run: string): string {
  return `refs/heads/mettle/${run}/work`;
}

export function resultBranch(run: string): string {
  return `refs/heads/mettle/${run}/result`;
}

/** Moves a branch of the run. Done twice it changes nothing. */
export async function moveBranch({ repository }: RunContext, ref: string, to: string): Promise<void> {
  await pointRefs(repository, [{ ref, commit: to }]);
}
