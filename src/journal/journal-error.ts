import { counted } from "../lib/counted.ts";
import { AppError } from "../lib/errors.ts";
import type { Owner } from "./owner.ts";

/** Errors that all Journal implementations share. */
export function conflict(run: string, expected: number, found: number): AppError {
  return new AppError(
    "journal_conflict",
    `run ${run} has ${counted(found, "event")} where ${expected} were expected`,
    {
      hint: "Read the run again and decide anew; another process has worked on it.",
      retry: "safe",
      detail: { run, expected, found },
    },
  );
}

export function runBusy(run: string, owner: Owner): AppError {
  return new AppError("run_busy", `run ${run} is being worked on by process ${owner.pid}`, {
    hint: `Wait until process ${owner.pid} is done, or stop it, then try again.`,
    retry: "safe",
    detail: { run, pid: owner.pid, started: owner.started },
  });
}

export function claimLost(run: string): AppError {
  return new AppError("claim_lost", `another process took run ${run} over`, {
    hint: `\`mettle watch ${run}\` shows how it goes on; what this process did since counts for nothing.`,
    detail: { run },
  });
}

export interface Damage {
  readonly file: string;
  readonly run: string;
  /** The first damaged or missing event. */
  readonly seq: number;
  /** First and last seq of each readable range. */
  readonly readable: readonly (readonly [number, number])[];
}

export function corrupt(damage: Damage, cause?: unknown): AppError {
  const stretches = damage.readable.map(([from, to]) => (from === to ? `${from}` : `${from} to ${to}`));
  const rest =
    stretches.length === 0 ? "no other event of it can be read" : `still readable: ${stretches.join(", ")}`;
  return new AppError(
    "journal_corrupt",
    `run ${damage.run}: event ${damage.seq} is damaged or missing; ${rest}`,
    {
      hint: `${damage.file} was left as it is. Restore it from a backup, or start the task as a new run.`,
      detail: damage,
      cause,
    },
  );
}

export function notAJournal(file: string, cause?: unknown): AppError {
  return new AppError("journal_corrupt", `${file} is damaged or is not a journal of Mettle`, {
    hint: "The file was left as it is. Restore it from a backup, or move it away to start anew.",
    cause,
  });
}

export function dataLossRisk(file: string, why: string): AppError {
  return new AppError("journal_corrupt", `${file}: ${why}`, {
    hint: `Nothing was touched. Restore ${file} and ${file}-wal from a backup; without one, move what is damaged away, and what it held is lost.`,
    detail: { file, why },
  });
}

/** Serializes an event's data. @throws TypeError if the data is not JSON or the type is not a plain word */
export function jsonOf(data: unknown, type = "value"): string {
  if (!/^[\w.:-]+$/.test(type)) throw new TypeError(`not a type of event: ${JSON.stringify(type)}`);
  const json: string | undefined = JSON.stringify(data);
  if (json === undefined) throw new TypeError("the data of an event must be a JSON value");
  return json;
}
