import type { ChangedRead, Surrounding } from "../../gates/suite/surrounding-result.ts";
import { surroundingReads } from "../../source/surrounding-reads.ts";

/** Where changed files read their surrounding. @param changed texts by path */
export function readsIn(changed: ReadonlyMap<string, string>): readonly ChangedRead[] {
  return [...changed].flatMap(([path, text]) =>
    (surroundingReads({ path, text }) ?? []).map((read) => ({ path, ...read })),
  );
}

export function notMeasured(why: string): Surrounding {
  return { state: "not measured", why };
}
