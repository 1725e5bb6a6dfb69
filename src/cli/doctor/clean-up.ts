/** Lists what `mettle clean` would remove of ended runs and killed processes. Removes nothing. */
import { isAlive } from "../../config/owner.ts";
import { planCleanUp } from "../../git/clean.ts";
import { openJournal } from "../../journal/open.ts";
import { systemClock } from "../../lib/clock.ts";
import { counted } from "../../lib/counted.ts";
import { exists } from "../../lib/files.ts";
import { foldRuns } from "../../run/list-runs.ts";
import { staleCheckouts } from "../../proof/checkout/checkout.ts";
import { shellWords } from "../../views/shell-words.ts";
import { ok, warn, type DoctorCheck } from "./check.ts";

export const cleanUp: DoctorCheck = {
  name: "clean-up",
  needed: false,
  async examine({ repository, home }) {
    if (repository === null || home === null) return [];
    // Opening the journal would create it.
    if (!(await exists(home.journal))) return [ok("nothing to clean up")];
    const journal = await openJournal({ home: home.root, clock: systemClock, alive: isAlive });
    try {
      const endedRuns = (await foldRuns(journal)).filter(({ ended }) => ended).map(({ run }) => run);
      const nowMs = systemClock.now();
      const plan = await planCleanUp(repository, { worktreesDir: home.worktrees, endedRuns, nowMs });
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
