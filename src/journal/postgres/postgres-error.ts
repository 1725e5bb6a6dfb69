import { AppError } from "../../lib/errors.ts";

/**
 * Maps errors of PostgreSQL and of the connection to Mettle's codes; returns others unchanged.
 * @param place `host:port/database`; a URL with a password never gets here
 */
export function postgresError(cause: unknown, place: string): unknown {
  if (cause instanceof AppError) return cause;
  const store = `the store ${place}`;
  switch (kindOf(cause)) {
    case "away":
      return new AppError("store_unreachable", `${store} does not answer`, {
        hint: "Start PostgreSQL or repair the network, then run the command again; a run goes on with `mettle resume`.",
        retry: "safe",
        cause,
      });
    case "refused":
      return new AppError("store_unreachable", `${store} refuses the user or has no such database`, {
        hint: "Correct user, password and database in the URL of the store, or create them in PostgreSQL.",
        cause,
      });
    case "locked":
      return new AppError("journal_locked", `another process keeps ${store} locked`, {
        hint: "Wait until the other process is done, or end it, then try again.",
        retry: "safe",
        cause,
      });
    case "full":
      return new AppError("disk_full", `there is no space left for ${store}`, {
        hint: "Free some disk space on the host of PostgreSQL, then run the command again; nothing was changed.",
        retry: "safe",
        cause,
      });
    case "unwritable":
      return new AppError("state_unwritable", `${store} cannot be written`, {
        hint: "Use the primary server, and a user that may create and write its tables.",
        retry: "safe",
        cause,
      });
    case "corrupt":
      return notAStore(place, cause);
    case "other":
      return cause; // a bug, not trouble of the store
  }
}

export function notAStore(place: string, cause?: unknown): AppError {
  return new AppError(
    "journal_corrupt",
    `the store ${place} is damaged or its schema mettle is not Mettle's`,
    {
      hint: "It was left as it is. Restore it from a backup, or rename the schema to start anew.",
      cause,
    },
  );
}

/** Whether the connection broke or was not made, so that another attempt may succeed. */
export function isAway(cause: unknown): boolean {
  return kindOf(cause) === "away";
}

/** Whether the statement waited for a lock until its bound, or lost against another transaction. */
export function isDeadlock(cause: unknown): boolean {
  return ["40001", "40P01"].includes(codeOf(cause));
}

/** Whether the trigger `events_follow` refused an event. */
export function isOutOfOrder(cause: unknown): boolean {
  return codeOf(cause) === outOfOrder;
}

/** Whether the server gave up waiting for a lock. */
export function isLocked(cause: unknown): boolean {
  return kindOf(cause) === "locked";
}

export function isDuplicate(cause: unknown): boolean {
  return codeOf(cause) === "23505";
}

/** The SQLSTATE that the trigger raises; no other program uses class MT. */
export const outOfOrder = "MT001";

type Kind = "away" | "refused" | "locked" | "full" | "unwritable" | "corrupt" | "other";

const kinds: Readonly<Record<string, Kind>> = {
  "08000": "away",
  "08003": "away",
  "08006": "away",
  "53300": "away", // too many connections
  "57014": "away", // the bound of a statement
  "57P01": "away", // the server shuts down
  "57P02": "away", // another process of it crashed
  "57P03": "away", // it starts
  "57P05": "away", // idle for too long
  "25P03": "away", // idle for too long in a transaction
  "28000": "refused",
  "28P01": "refused",
  "3D000": "refused",
  "55P03": "locked",
  "53100": "full",
  "25006": "unwritable", // a standby, or read-only by setting
  "42501": "unwritable",
  "3F000": "corrupt", // the schema is gone
  "42P01": "corrupt", // a table is gone
  "42703": "corrupt", // a column is
  "42883": "corrupt", // a function is
  XX001: "corrupt",
  XX002: "corrupt",
  ECONNREFUSED: "away",
  ECONNRESET: "away",
  ECONNABORTED: "away",
  EPIPE: "away",
  ETIMEDOUT: "away",
  EHOSTUNREACH: "away",
  ENETUNREACH: "away",
  ENOTFOUND: "away",
  EAI_AGAIN: "away",
  ENOENT: "away", // the socket file
};

/** pg gives these errors no code. */
const away = [
  "Connection terminated",
  "timeout expired",
  "timeout exceeded when trying to connect",
  "Query read timeout",
  "Client has encountered a connection error",
  "Client was closed",
];

function kindOf(cause: unknown): Kind {
  if (!(cause instanceof Error)) return "other";
  const known = kinds[codeOf(cause)];
  if (known !== undefined) return known;
  return away.some((start) => cause.message.startsWith(start)) ? "away" : "other";
}

function codeOf(cause: unknown): string {
  return cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : "";
}
