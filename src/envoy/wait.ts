/** `--wait SECONDS`: the maximum wait for a person, in milliseconds. Null for the default. */
import { AppError } from "../lib/errors.ts";
import { maxWaitMs } from "../plans/gates/max-wait.ts";

export function readWait(word: string | null): number | null {
  if (word === null) return null;
  const seconds = Number(word);
  if (/^[0-9]+(\.[0-9]+)?$/u.test(word) && seconds * 1000 <= maxWaitMs) return seconds * 1000;
  throw new AppError("usage", `--wait takes seconds from 0 to ${maxWaitMs / 1000}, not ${word}`, {
    hint: "omit it for the default",
  });
}
