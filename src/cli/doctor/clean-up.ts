/** Lists what `mettle clean` would remove of ended runs and killed processes. Removes nothing. */
import { planCleanUp } from "../../git/clean.ts";
import { hasStore, openHomeStore } from "../../journal/home-store.ts";
import { AppError } from "../../lib/errors.ts";
import { systemClock } from "../../lib/clock.ts";
import { counted } from "../../lib/counted.ts";
import { endedRuns } from "../../run/list-runs.ts";
import { staleCheckouts } from "../../proof/checkout/checkout.ts";
import { shellWords } from "../../views/shell-words.ts";
import { ok, warn, type DoctorCheck } from "./check.ts";

export const cleanUp: DoctorCheck = {
  name: "clean-up",
  needed: false,
  async examine({ repository, home }) {
    if (repository === null || home === null) return [];
    if (!hasStore(home)) return [ok("nothing to clean up")];
    const opened = await openHomeStore(home, systemClock).catch((error: unknown) => {
      // The line of the shared store tells it.
      if (home.store.kind === "postgres" && error instanceof AppError) return null;
      throw error;
    });
    if (opened === null) return [];
    const { journal } = opened;
    try {
      const plan = await planCleanUp(repository, {
        worktreesDir: home.worktrees,
        endedRuns: await endedRuns(journal),
        nowMs: systemClock.now(),
      });
      const leftOver = plan.worktrees.filter(
        (worktree) => worktree.type === "remove" || worktree.why !== "running",
      );
      const counts: readonly (readonly [count: number, what: string])[] = [
        [leftOver.filter(({ type }) => type === "remove").length, "worktree"],
        [(await staleCheckouts(home.worktrees)).length, "checkout"],
        [plan.locks.length, "lock"],
      ];
      const goes = counts.filter(([count]) => count > 0).map(([count, what]) => counted(count, what));
      const stays = leftOver
        .filter(({ type }) => type === "keep")
        .map(({ path, commit }) => {
          const remove =
            commit === null ? ["rm", "-r", path] : ["git", "worktree", "remove", "--force", path];
          return warn(`${path} has uncommitted files`, `take what you need, then: ${shellWords(remove)}`);
        });
      if (goes.length === 0 && stays.length === 0) return [ok("nothing to clean up")];
      return [...(goes.length > 0 ? [warn(`left over: ${goes.join(", ")}`, "mettle clean")] : []), ...stays];
    } finally {
      await journal.close();
    }
  },
};
