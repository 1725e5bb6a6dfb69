/** One thing at a time is done to a run in hand: claimed, opened, done, and the memory bank brought up to date. */
import { AppError } from "../lib/errors.ts";
import type { Claim } from "../journal/journal.ts";
import type { FamilyRun } from "../family/family.ts";
import type { OpenHost } from "../run/host.ts";
import { openRun } from "../families/open-run.ts";
import { assertSameKey } from "../run/signing-key.ts";
import { recordHookErrors, writeHookFacts } from "./hook-facts.ts";

/** The calls of one process wait in line here, rather than ask for the claim again and again. */
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
    await assertSameKey(context);
    await recordHookErrors(context);
    const value = await work(context);
    await context.family.project(context);
    await writeHookFacts(context);
    return value;
  } finally {
    await claim.release();
  }
}

/** Another session of the same repository may be in the middle of a call. */
const maxWaitMs = 60_000;
const pauseMs = 50;

async function claimRun({ journal, me, clock }: OpenHost, run: string): Promise<Claim> {
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
