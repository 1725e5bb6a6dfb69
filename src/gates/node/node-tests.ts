/** Maps the tests of a node to criteria, and checks a batch of new tests (V3-31). */
import { failed, shortList, passed } from "../check.ts";
import { holds } from "./node-paths.ts";
import type { PlannedTest } from "../../protocol/graph-types/shared.ts";
import { plain, words } from "../documents/criteria.ts";
import type { Check } from "../verdict.ts";

export interface CriteriaPlan {
  /** Ids of the spec's criteria. */
  readonly criteria: readonly string[];
  /** In order; a later entry for the same name wins. */
  readonly plan: readonly Pick<PlannedTest, "criterionId" | "plannedTestName">[];
}

/**
 * The criteria of a test by its title: a planned name, or a prefix `<criterionId>:`. A function name, which has no colon,
 * may begin with the words of the id: `test_ac_1_adds`.
 */
export function criteriaOfTest(id: string, { criteria, plan }: CriteriaPlan): readonly string[] {
  const parts = id
    .replace(/(?<=\S)#\d+$/u, "")
    .split("::")
    .slice(1);
  const title = (parts.at(-1) ?? "").trim();
  const planned = new Map(
    plan.map(({ plannedTestName, criterionId }) => [plain(plannedTestName), criterionId]),
  );
  const named = [
    title,
    spread(title),
    spread(title).replace(/^test /iu, ""),
    parts.join(" "),
    parts.join(" > "),
  ]
    .map((name) => planned.get(plain(name)))
    .filter((found) => found !== undefined);
  return [...new Set([...named, ...prefixes(title, criteria), ...wordPrefix(title, criteria)])].filter(
    (found) => criteria.includes(found),
  );
}

/** Matches `AC-1: …`; `AC-1, AC-2: …` and `AC-1: AC-2: …` name both. */
function prefixes(title: string, criteria: readonly string[]): readonly string[] {
  const [head, ...rest] = title.split(":");
  if (head === undefined || rest.length === 0) return [];
  const words = head.split(/\s*(?:[,;&+/\s]|\band\b)\s*/u).filter((word) => word !== "");
  if (words.length === 0 || !words.every((word) => criteria.includes(word))) return [];
  return [...words, ...prefixes(rest.join(":").trim(), criteria)];
}

function wordPrefix(title: string, criteria: readonly string[]): readonly string[] {
  if (!/^\w+(?:\[.*\])?$/u.test(title)) return [];
  const name = `${words(spread(title)).replace(/^test /u, "")} `;
  const found = criteria.filter((id) => name.startsWith(`${words(id)} `));
  // AC-1.1 also begins with AC-1.
  return found.toSorted((one, other) => other.length - one.length).slice(0, 1);
}

function spread(name: string): string {
  if (!/^\w+(?:\[.*\])?$/u.test(name)) return name;
  return name
    .replace(/([a-z0-9])([A-Z])/gu, "$1 $2")
    .replace(/([A-Za-z])(\d)/gu, "$1 $2")
    .replaceAll("_", " ");
}

export interface BatchFacts extends CriteriaPlan {
  /** Paths changed by the batch. */
  readonly changed: readonly string[];
  readonly testPath: string;
  /** Ids of the new tests. */
  readonly tests: readonly string[];
  /** The new tests that fail before implementation. */
  readonly failing: readonly string[];
  /** Criteria without a test, and those for which a review requested more tests. */
  readonly uncovered: readonly string[];
  /** Locked tests that were changed: a path or a test id. */
  readonly changedLocks: readonly string[];
}

export function judgeBatch(facts: BatchFacts): readonly Check[] {
  return [testPathOnly(facts), locksKept(facts), oneCriterion(facts), wholeBatch(facts)];
}

function testPathOnly({ changed, testPath }: BatchFacts): Check {
  const outside = changed.filter((path) => !holds(testPath, path));
  if (outside.length === 0) return passed("test_path");
  return failed(
    "test_path",
    `only files under ${testPath} may change here; also changed: ${shortList(outside)}`,
  );
}

function locksKept({ changedLocks }: BatchFacts): Check {
  if (changedLocks.length === 0) return passed("locked");
  return failed(
    "locked",
    `locked tests must not change, restore them and add new ones: ${shortList(changedLocks)}`,
    changedLocks,
  );
}

function oneCriterion(facts: BatchFacts): Check {
  const wrong = facts.tests.flatMap((id) => {
    const found = criteriaOfTest(id, facts);
    if (found.length === 1) return [];
    return [
      { id, why: found.length === 0 ? "belongs to no criterion" : `belongs to ${found.join(" and ")}` },
    ];
  });
  if (wrong.length === 0) return passed("one_criterion", facts.tests);
  return failed(
    "one_criterion",
    `${wrong.map(({ id, why }) => `${id} ${why}`).join("; ")}; a title is a planned name or begins with the id of one criterion and a colon`,
    wrong.map(({ id }) => id),
  );
}

function wholeBatch(facts: BatchFacts): Check {
  const covered = new Set(facts.failing.flatMap((id) => criteriaOfTest(id, facts)));
  const without = facts.uncovered.filter((id) => !covered.has(id));
  if (without.length === 0) return passed("batch", facts.tests);
  return failed("batch", `every uncovered criterion needs a test; no new test for ${shortList(without)}`);
}
