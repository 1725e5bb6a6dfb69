/** The status line of an agent, `→CODE` or `→CODE: message`, and the meanings of the codes. Pure. */
import { AppError } from "../lib/errors.ts";
import { nearest } from "../lib/nearest.ts";
import { quoted } from "./spelling.ts";

/** Codes of the protocols -> their meanings. */
export const statuses = {
  PC: "plan created",
  PR: "plan revised",
  DG: "the planner disagrees with the critic",
  NR: "the plan needs revision",
  PA: "plan accepted",
  EN: "not converging: the dialogue failed to reach agreement",
  RC: "red complete: the failing tests are written",
  TA: "test adjusted after a dispute",
  GC: "green complete: the implementation passes the tests",
  TI: "test issue: DE disputes a test",
  RTC: "refactor of the tests complete",
  RIC: "refactor of the implementation complete",
  ACCEPT: "the design is accepted",
  REVISE: "the design has to be revised",
  REJECT: "the design is rejected",
  APPROVED: "the reviewer approves",
  NEEDS_CHANGE: "the reviewer asks for changes",
  ME: "memory error",
  TO: "time out: no answer in time",
  EX: "exception: the work broke off, or its answer could not be read",
  BL: "blocked: the agent cannot go on without help",
} as const satisfies Readonly<Record<string, string>>;

export type StatusCode = keyof typeof statuses;

export const statusCodes = Object.keys(statuses) as StatusCode[];

export interface StatusLine {
  readonly code: string;
  /** Empty: none. */
  readonly message: string;
}

/** Prints one line: line breaks in the message become spaces. */
export function printStatus({ code, message }: StatusLine): string {
  const shown = message.replace(/\s*[\n\r]\s*/gu, " ").trim();
  return shown === "" ? `→${code}` : `→${code}: ${shown}`;
}

/** Reads a status line whose code must be one of `codes`, exactly as spelled. @throws bad_status, unknown_status */
export function parseStatus(text: string, codes: readonly string[] = statusCodes): StatusLine {
  const read = readStatusLine(text);
  const [first = ""] = text.trim().split(/[\n\r]/u, 1);
  if (read === null) {
    throw new AppError("bad_status", `${quoted(first)} is not a status line`, {
      hint: "Write →CODE or →CODE: message, or -> in place of →.",
    });
  }
  if (codes.includes(read.code)) return read;
  const near = nearest(read.code.toUpperCase(), codes);
  throw new AppError("unknown_status", `${quoted(read.code)} is not a status code, in ${quoted(first)}`, {
    hint: `${near === null ? "" : `Did you mean ${near}? `}The codes are ${codes.join(", ")}.`,
    detail: { known: codes },
  });
}

/** Reads a status line with any code, which may have a suffix after a dot. Null: not a status line. */
export function readStatusLine(text: string): StatusLine | null {
  const [first = ""] = text.trim().split(/[\n\r]/u, 1);
  const match = response.exec(first);
  return match?.[1] === undefined ? null : { code: match[1], message: (match[2] ?? "").trim() };
}

const response = /^(?:→|->)\s*([A-Za-z][A-Za-z_]*(?:\.[a-z_]+)?)\s*(?::(.*))?$/su;
