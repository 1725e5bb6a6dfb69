/** Pauses of accounts, kept in one small file each beside the state homes: every run of this user reads them (CORE-77). */
import { mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as z from "zod";
import { sharedFolder } from "../../config/home.ts";
import { sha256 } from "../../lib/hash.ts";
import { writeAtomically } from "../../lib/files.ts";
import { parseJson } from "../../lib/json.ts";
import type { RunContext } from "../../run/context.ts";
import { maxPauseMs, pauseAfter, type Pause, type ReachedLimit } from "./pause-until.ts";

const PauseFile = z.object({
  version: z.literal(1),
  account: z.string(),
  since: z.number(),
  until: z.number(),
  why: z.string(),
  times: z.number(),
});

const slackMs = 60_000;

type Machine = Pick<RunContext, "home" | "clock">;

/** Null: its agents may start. */
export async function openPause(machine: Machine, account: string): Promise<Pause | null> {
  const pause = await lastPause(machine, account);
  const now = machine.clock.now();
  // A pause from the future is one of a clock that was wrong; clocks are corrected by less than a minute.
  const isOpen =
    pause !== null && pause.until > now && pause.since <= now + slackMs && pause.until - now <= maxPauseMs;
  return isOpen ? pause : null;
}

/** Pauses the account of an agent that reached a limit. Of two processes at once the later one counts. */
export async function pauseAccount(machine: Machine, limit: Omit<ReachedLimit, "nowMs">): Promise<Pause> {
  const nowMs = machine.clock.now();
  const pause = pauseAfter({ ...limit, nowMs }, await lastPause(machine, limit.account));
  const path = fileOf(machine, limit.account);
  await mkdir(dirname(path), { recursive: true });
  await writeAtomically(path, `${JSON.stringify({ version: 1, ...pause })}\n`, { mode: 0o600 });
  return pause;
}

async function lastPause(machine: Machine, account: string): Promise<Pause | null> {
  const text = await readFile(fileOf(machine, account), "utf8").catch(() => null); // never paused
  const read = PauseFile.safeParse(text === null ? null : parseJson(text));
  return read.success && read.data.account === account ? read.data : null;
}

function fileOf({ home }: Machine, account: string): string {
  const name = account.replace(/[^A-Za-z0-9_-]+/gu, "-").slice(0, 40);
  return join(sharedFolder(dirname(home.root), "limits"), `${name}-${sha256(account).slice(7, 15)}.json`);
}
