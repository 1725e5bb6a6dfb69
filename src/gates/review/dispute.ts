/** Checks a commit that answers a disputed test: it may change that test only (ORC-20). */
import { titleOfTest, fileOfTest } from "../../evidence/test-ids.ts";
import { failed, shortList, passed } from "../check.ts";
import { testsOf } from "../documents/criteria.ts";
import type { Check } from "../verdict.ts";

export interface DisputeFacts {
  /** Ids of the tests that the implementer named; empty where it named no required test. */
  readonly disputed: readonly string[];
  /** Ids that were required before. */
  readonly before: readonly string[];
  /** Paths changed since RED froze the tests. */
  readonly changed: readonly string[];
}

/** The required tests that a text names by id, title or criterion; `ids` are criteria of other kinds. */
export function disputedTests(
  text: string,
  required: readonly string[],
  ids: readonly string[] = [],
): readonly string[] {
  const named = ids.filter((id) =>
    ` ${text} `.split(/[^\p{L}\p{N}_.-]+/u).some((word) => word.replace(/\.$/, "") === id),
  );
  const criteria = [...new Set([...(text.match(/\b(?:FR|EC|ERR)-?\d+\b/g) ?? []), ...named])];
  const byTitle = required.filter((id) => text.includes(id) || text.includes(titleOfTest(id)));
  if (byTitle.length > 0) return byTitle;
  return [...new Set(Object.values(testsOf({ criteria, tests: required, plan: {} })).flat())];
}

export function checkDispute({ disputed, before, changed }: DisputeFacts, now: readonly string[]): Check {
  if (disputed.length === 0) return passed("dispute");
  const files = new Set(disputed.map(fileOfTest));
  const other = changed.filter((path) => !files.has(path));
  const gone = before.filter((id) => !disputed.includes(id) && !now.includes(id));
  if (other.length === 0 && gone.length === 0) return passed("dispute", disputed);
  const reasons = [
    ...(other.length === 0 ? [] : [`also changed: ${shortList(other)}`]),
    ...(gone.length === 0 ? [] : [`removed: ${shortList(gone)}`]),
  ];
  return failed(
    "dispute",
    `only the disputed test may change (${shortList(disputed)}); ${reasons.join("; ")}`,
    gone,
  );
}
