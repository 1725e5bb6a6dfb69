/** What each test gave in the newest run that it was part of. Pure. */
import type { TestsModel } from "../../views/model/evidence-model.ts";

/** Passed, failed or skipped. */
export type LastResult = "p" | "f" | "s";

export function lastResults({ rows }: Pick<TestsModel, "rows">): ReadonlyMap<string, LastResult> {
  return new Map(
    rows.flatMap(({ id, results }) => {
      const last = [...results].findLast((letter) => letter !== "-");
      return last === "p" || last === "f" || last === "s" ? [[id, last] as const] : [];
    }),
  );
}
