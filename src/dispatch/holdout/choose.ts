/** Chooses the tests that an implementer does not see: a share of the tests of each criterion (PRV-16). Pure. */
import { createHash } from "node:crypto";
import { withoutCase } from "./test-name.ts";

export interface HoldoutFacts {
  /** From 0 to 1. */
  readonly share: number;
  /** The same seed chooses the same tests. */
  readonly seed: string;
  /** Criterion -> ids of its tests. */
  readonly groups: Readonly<Record<string, readonly string[]>>;
  /** Ids that an earlier dispatch did not see; they are taken first. */
  readonly before: ReadonlySet<string>;
  /** Whether a test can be withheld at all. */
  readonly isCuttable: (id: string) => boolean;
}

/**
 * The cases of a table are one test. Each criterion keeps a visible test, also where tests prove several criteria.
 * @returns the id of a test -> its criterion
 */
export function chooseWithheld(facts: HoldoutFacts): ReadonlyMap<string, string> {
  const { share, groups, isCuttable } = facts;
  const units = Object.entries(groups).map(
    ([criterion, ids]) => [criterion, new Set(ids.map(withoutCase))] as const,
  );
  const chosen = new Map<string, string>();
  const visibleIn = (own: ReadonlySet<string>) => [...own].filter((unit) => !chosen.has(unit)).length;
  for (const [criterion, own] of units) {
    const wanted = Math.min(Math.round(share * own.size), own.size - 1);
    for (const unit of inOrder(own, facts)) {
      if (own.size - visibleIn(own) >= wanted) break;
      const members = (groups[criterion] ?? []).filter((id) => withoutCase(id) === unit);
      const leavesOne = units.every(([, other]) => !other.has(unit) || visibleIn(other) > 1);
      if (!chosen.has(unit) && leavesOne && members.every(isCuttable)) chosen.set(unit, criterion);
    }
  }
  const all = [...new Set(Object.values(groups).flat())];
  return new Map(
    all.flatMap((id): readonly (readonly [string, string])[] => {
      const criterion = chosen.get(withoutCase(id));
      return criterion === undefined ? [] : [[id, criterion]];
    }),
  );
}

function inOrder(units: ReadonlySet<string>, { seed, before }: HoldoutFacts): readonly string[] {
  const known = new Set([...before].map(withoutCase));
  const keyOf = (unit: string) =>
    `${known.has(unit) ? 0 : 1} ${createHash("sha256").update(`${seed}\n${unit}`).digest("hex")}`;
  return [...units].toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}
