/** Chooses the document folder of a new run: two unfinished runs never share one, even if they start together (ORC-93). */
import { AppError } from "../lib/errors.ts";
import type { RunClaim } from "../journal/journal.ts";
import { documentFolder } from "./documents/names.ts";
import type { OpenHost } from "./host.ts";
import { foldOpenRuns } from "./list-runs.ts";

/** Calls `start` with the run's folder. No other run chooses a folder until `start` resolves. */
export async function withRunFolder(
  host: OpenHost,
  run: string,
  start: (folder: string) => Promise<void>,
): Promise<void> {
  const claim = await claimChoice(host);
  try {
    await start(await folderFor(host, run));
  } finally {
    await claim.release();
  }
}

async function folderFor({ journal }: OpenHost, run: string): Promise<string> {
  const isTaken = (await foldOpenRuns(journal)).some(({ started }) => started?.folder === documentFolder);
  return isTaken ? `${documentFolder}/${run}` : documentFolder;
}

/** A claim name that is not a run id. */
const folderClaim = "folder-choice";
const maxAttempts = 200;
const pauseMs = 50;

async function claimChoice({ journal, clock, me }: OpenHost): Promise<RunClaim> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await journal.claim(folderClaim, me);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "run_busy" || attempt === maxAttempts) throw error;
      await clock.sleep(pauseMs);
    }
  }
}
