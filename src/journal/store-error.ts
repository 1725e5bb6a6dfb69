import { AppError } from "../lib/errors.ts";
import { notAJournal } from "./journal-error.ts";

/** Maps errors of SQLite and the file system about `mettle.db` to Mettle's codes (CORE-90); returns others unchanged. */
export function storeError(cause: unknown, file: string): unknown {
  if (cause instanceof AppError) return cause;
  switch (kindOf(cause)) {
    case "locked":
      return new AppError("journal_locked", `another process keeps ${file} locked`, {
        hint: "Wait until the other process is done, or end it, then try again.",
        retry: "safe",
        cause,
      });
    case "full":
      return new AppError("disk_full", `there is no space left for ${file}`, {
        hint: "Free some disk space, then run the command again; nothing was changed.",
        retry: "safe",
        cause,
      });
    case "unwritable":
      return new AppError("state_unwritable", `${file} cannot be written`, {
        hint: "Make the state home writable for this user, or set METTLE_HOME to a folder that is.",
        retry: "safe",
        cause,
      });
    case "corrupt":
      return notAJournal(file, cause);
    case "other":
      return cause; // a bug, not a disk problem
  }
}

export function isBusy(cause: unknown): boolean {
  return kindOf(cause) === "locked";
}

export function isCorrupt(cause: unknown): boolean {
  return kindOf(cause) === "corrupt";
}

/** Whether a trigger of the tables refused the statement. */
export function isRefused(cause: unknown): boolean {
  return cause instanceof Error && "rawCode" in cause && cause.rawCode === constraintTrigger;
}

type Kind = "locked" | "full" | "unwritable" | "corrupt" | "other";

/** SQLite's primary result codes are the low byte of the raw code. */
const sqlite: Readonly<Record<number, Kind>> = {
  1: "corrupt", // ERROR: the statements are fixed, so the tables are wrong
  3: "unwritable", // PERM
  5: "locked", // BUSY
  6: "locked", // LOCKED
  8: "unwritable", // READONLY
  10: "unwritable", // IOERR
  11: "corrupt", // CORRUPT
  13: "full", // FULL
  14: "unwritable", // CANTOPEN
  15: "locked", // PROTOCOL: lost a race for the WAL's locks
  26: "corrupt", // NOTADB
};

/** The shared-memory file of the WAL cannot grow: in practice a full disk. */
const ioErrShmSize = 4874;
const constraintTrigger = 1811;

const system: Readonly<Record<string, Kind>> = {
  ENOSPC: "full",
  EDQUOT: "full",
  EACCES: "unwritable",
  EPERM: "unwritable",
  EROFS: "unwritable",
  ENOTDIR: "unwritable",
  EEXIST: "unwritable",
  ENOENT: "unwritable", // from a recursive mkdir on a read-only disk
};

function kindOf(cause: unknown): Kind {
  if (!(cause instanceof Error)) return "other";
  if ("rawCode" in cause && typeof cause.rawCode === "number") {
    return cause.rawCode === ioErrShmSize ? "full" : (sqlite[cause.rawCode & 0xff] ?? "other");
  }
  if ("code" in cause && typeof cause.code === "string") return system[cause.code] ?? "other";
  return "other";
}
