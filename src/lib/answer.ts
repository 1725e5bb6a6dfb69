/** The object that `--json` prints, for programs that call `mettle`. docs/json.md lists its fields. */
import { refuseNewer } from "./refuse-newer.ts";

export const answerVersion = 1;

export type Answer = Readonly<Record<string, unknown>> & { readonly version: number };

/** An error as it is printed; in an agent's dispatch its code may be one of the channel. */
export interface PrintedError {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  readonly detail?: unknown;
}

/** Parses the stdout of a call. Keeps unknown fields; refuses a newer version (CORE-100). */
export function parseAnswer(stdout: string): Answer {
  const raw: unknown = JSON.parse(stdout);
  refuseNewer(raw, { what: "the answer of mettle", known: answerVersion });
  if (!isAnswer(raw)) throw new TypeError("this is no answer of mettle --json");
  return raw;
}

function isAnswer(raw: unknown): raw is Answer {
  return typeof raw === "object" && raw !== null && "version" in raw && raw.version === answerVersion;
}
