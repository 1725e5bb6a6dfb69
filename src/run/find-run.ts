/** Which run a person means. Apart from opening one, since a command that only looks must start fast. */
import { AppError } from "../lib/errors.ts";
import type { OpenHost } from "./host.ts";

/** By id, by a unique beginning of it, or the newest one. */
export async function findRun(host: OpenHost, given: string | null): Promise<string> {
  const runs = await host.journal.runs();
  if (given === null) {
    const newest = runs.at(-1);
    if (newest !== undefined) return newest;
    throw new AppError("run_unknown", "there is no run yet", {
      hint: 'start one: mettle run "@orchestrate …"',
    });
  }
  if (runs.includes(given)) return given;
  const matching = runs.filter((run) => run.startsWith(given));
  const [only] = matching;
  if (only !== undefined && matching.length === 1) return only;
  throw new AppError(
    "run_unknown",
    matching.length > 1 ? `${given} is ambiguous` : `there is no run ${given}`,
    {
      hint:
        runs.length === 0
          ? 'start one: mettle run "@orchestrate …"'
          : `known: ${(matching.length > 1 ? matching : runs).join(", ")}`,
      detail: { candidates: matching.length > 1 ? matching : runs },
    },
  );
}
