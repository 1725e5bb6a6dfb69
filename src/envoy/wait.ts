/** `--wait SECONDS`: how long a person is waited for. An agent's shell commands end after ten minutes, so the call ends before. */
import { AppError } from "../lib/errors.ts";
import { maxWaitMs } from "../plans/gates/max-wait.ts";

export function readWait(word: string | null): number | null {
  if (word === null) return null;
  const seconds = Number(word);
  if (/^[0-9]+(\.[0-9]+)?$/u.test(word) && seconds * 1000 <= maxWaitMs) return seconds * 1000;
  throw new AppError("usage", `--wait takes seconds from 0 to ${maxWaitMs / 1000}, not ${word}`, {
    hint: "leave it out for the usual time",
  });
}
