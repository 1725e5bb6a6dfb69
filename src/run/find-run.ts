/** Finds the run that a person refers to. Separate from opening it, because read-only commands must start fast. */
import { AppError } from "../lib/errors.ts";
import type { OpenHost } from "./host.ts";

/** Of runs that a person may mean. */
export const maxListed = 20;

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
  const matching = await host.journal.runsNamed(given, maxListed);
  const [only] = matching;
  if (only !== undefined && matching.length === 1) return only;
  const isAmbiguous = matching.length > 1;
  const candidates = isAmbiguous ? matching : await host.journal.runs(maxListed);
  throw new AppError("run_unknown", isAmbiguous ? `${given} is ambiguous` : `there is no run ${given}`, {
    hint:
      candidates.length === 0
        ? "start one: mettle run 'Build a login page'"
        : `${isAmbiguous ? "known" : "newest"}: ${candidates.join(", ")}`,
    detail: { candidates },
  });
}
