/**
 * How a run whose work is in one checkout goes from host to host: one worker at a time does the whole run in its clone, and packs what
 * the next host needs into refs of the run (docs/adr/0041-a-plan-travels-with-its-run.md).
 */
import type { RunContext } from "../run/context.ts";

export interface Handover {
  /** The role whose agent a worker must have to take the run. */
  readonly role: string;
  /** On a worker that has claimed the run and fetched its refs: makes its clone as the newest pack says. */
  readonly take: (context: RunContext) => Promise<void>;
  /** On that worker, before a result is journaled: packs the work. The caller pushes the run's refs. */
  readonly pack: (context: RunContext) => Promise<void>;
  /** After the refs of the run were pushed: this checkout has what the remote has. */
  readonly pushed: (context: RunContext) => Promise<void>;
  /**
   * In the checkout of a person: places what workers did, and never over the person's own changes.
   * @param options `packs`: the person's changes are packed for the workers; the caller has claimed the run and pushes its refs
   * @returns the folder of the placed files @throws plan_differs
   */
  readonly place: (context: RunContext, options: { readonly packs: boolean }) => Promise<string>;
  /** Whether a person changed what is placed here, or nothing was exchanged yet. */
  readonly isChanged: (context: RunContext) => Promise<boolean>;
  /** What a complete run made: a commit, and the branch that it belongs to. */
  readonly result: (context: RunContext) => Promise<HandedResult>;
}

export interface HandedResult {
  readonly branch: string;
  readonly commit: string;
}
