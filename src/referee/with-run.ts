/** Serialises the work on a run in hand: claims the run, opens it, works, and updates the memory bank. */
import { AppError } from "../lib/errors.ts";
import type { RunClaim } from "../journal/journal.ts";
import type { FamilyRun } from "../family/family.ts";
import type { OpenHost } from "../run/host.ts";
import { openRun } from "../families/open-run.ts";
import { assertRunsHere } from "../run/run-host.ts";
import { assertSigningKey } from "../run/signing-key.ts";
import { recordHookErrors, writeHookFacts } from "./hook-facts.ts";

/** Queue of the calls of this process, so that they do not poll for the claim. */
const lines = new WeakMap<OpenHost["journal"], Promise<unknown>>();

export function withRun<Value>(
  host: OpenHost,
  run: string,
  work: (context: FamilyRun) => Promise<Value>,
): Promise<Value> {
  const before = lines.get(host.journal) ?? Promise.resolve();
  const turn = before.then(() => workUnderClaim(host, run, work));
  lines.set(
    host.journal,
    turn.catch(() => undefined),
  );
  return turn;
}

async function workUnderClaim<Value>(
  host: OpenHost,
  run: string,
  work: (context: FamilyRun) => Promise<Value>,
): Promise<Value> {
  const claim = await claimRun(host, run);
  try {
    const context = await openRun(host, { run });
    assertRunsHere(context);
    await assertSigningKey(context);
    await recordHookErrors(context);
    const value = await work(context);
    await context.family.writeDocuments(context);
    await writeHookFacts(context);
    return value;
  } finally {
    await claim.release();
  }
}

/** Another session of the same repository may be in a call. */
const maxWaitMs = 60_000;
const pauseMs = 50;

async function claimRun({ journal, me, clock }: OpenHost, run: string): Promise<RunClaim> {
  const end = clock.now() + maxWaitMs;
  for (;;) {
    try {
      return await journal.claim(run, me);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "run_busy" || clock.now() > end) throw error;
      await clock.sleep(pauseMs);
    }
  }
}
