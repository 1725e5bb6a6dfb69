/** The one object that `--json` prints, for programs that call `mettle`. Its fields are in docs/json.md. */
import { refuseNewer } from "./newer.ts";

export const answerVersion = 1;

export type Answer = Readonly<Record<string, unknown>> & { readonly version: number };

/** Reads what a call printed on stdout: fields that are not known stay, a newer version is refused (CORE-100). */
export function parseAnswer(stdout: string): Answer {
  const raw: unknown = JSON.parse(stdout);
  refuseNewer(raw, { what: "the answer of mettle", known: answerVersion });
  if (!isAnswer(raw)) throw new TypeError("this is no answer of mettle --json");
  return raw;
}

function isAnswer(raw: unknown): raw is Answer {
  return typeof raw === "object" && raw !== null && "version" in raw && raw.version === answerVersion;
}
