/** Finds the run that a person refers to. Separate from opening it, because read-only commands must start fast. */
import { AppError } from "../lib/errors.ts";
import type { OpenHost } from "./host.ts";

/** Finds a run by id or unique prefix; null finds the newest. */
export async function findRun(host: OpenHost, given: string | null): Promise<string> {
  if (given === null) {
    const newest = await host.journal.newestRun();
    if (newest !== null) return newest;
    throw new AppError("run_unknown", "there is no run yet", {
      hint: "start one: mettle run 'Build a login page'",
    });
  }
  if ((await host.journal.head(given)) > 0) return given;
  const runs = await host.journal.runs();
  const matching = runs.filter((run) => run.startsWith(given));
  const [only] = matching;
  if (only !== undefined && matching.length === 1) return only;
  throw new AppError(
    "run_unknown",
    matching.length > 1 ? `${given} is ambiguous` : `there is no run ${given}`,
    {
      hint:
        runs.length === 0
          ? "start one: mettle run 'Build a login page'"
          : `known: ${(matching.length > 1 ? matching : runs).join(", ")}`,
      detail: { candidates: matching.length > 1 ? matching : runs },
    },
  );
}
