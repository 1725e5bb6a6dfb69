/** Refuses tests that cannot fail by their assertions, by test and line (PRV-18). */
import { fileOfTest, titleOfTest } from "../../evidence/test-ids.ts";
import { counted } from "../../lib/counted.ts";
import type { Weakness } from "../../source/cannot-fail/weak-test.ts";
import type { WeakTestOfFile } from "../../source/cannot-fail/weak-tests.ts";
import { failed, passed, shortList } from "../check.ts";
import type { Check, Finding } from "../verdict.ts";
import { acceptingInRun } from "./passing-tests.ts";
import type { RedFacts } from "./red-facts.ts";

type Facts = Pick<RedFacts, "first" | "accepted" | "accepting" | "weak">;

const reasons: Readonly<Record<Weakness, string>> = {
  "not executed": "its assertion is not executed",
  swallowed: "a failed assertion is caught and lost",
  "not awaited": "its assertion is not awaited: await or return it",
  "empty loop": "its loop runs over nothing",
  "same value": "it compares a value with itself",
  "own answer": "it compares the unit's answer with the unit's own answer",
  constants: "its assertion holds without the code",
  tolerance: "its tolerance is wider than the number that it compares with",
  types: "its assertions hold for every value of the type",
};

/** A person may accept each test by its id. */
export function checkCanFail(facts: Facts): Check {
  const { accepted = [], accepting = acceptingInRun } = facts;
  const wrong = (facts.weak?.tests ?? []).filter((test) => {
    const ids = idsOf(test, facts);
    return test.isCertain && !(ids.length > 0 && ids.every((id) => accepted.includes(id)));
  });
  if (wrong.length === 0) return passed("can_fail");
  const reason = `${counted(wrong.length, "test")} cannot fail by ${wrong.length === 1 ? "its" : "their"} assertions: ${shortList(wrong.map(describe), 12)}; compare what the unit returns with a literal; a person can accept it: ${accepting}`;
  const ids = [...new Set(wrong.flatMap((test) => idsOf(test, facts)))];
  return { ...failed("can_fail", reason, ids), acceptable: true };
}

/** Tests whose text does not show it for certain. */
export function weakFindings({ weak }: Pick<Facts, "weak">): readonly Finding[] {
  return (weak?.tests ?? [])
    .filter(({ isCertain }) => !isCertain)
    .map((test) => ({
      code: "may_not_fail",
      severity: "finding",
      message: `perhaps it cannot fail: ${describe(test)}`,
      path: test.path,
    }));
}

/** The record's text. */
export function weakWords({ weak }: Pick<Facts, "weak">): string {
  if (weak === undefined) return "not measured (switched off in the settings)";
  const refused = weak.tests.filter(({ isCertain }) => isCertain).length;
  const doubtful = weak.tests.length - refused;
  const found = [
    ...(refused === 0 ? [] : [`${refused} cannot fail`]),
    ...(doubtful === 0 ? [] : [`${doubtful} perhaps`]),
    ...(weak.others === 0 ? [] : [`${counted(weak.others, "file")} of other languages not measured`]),
  ];
  return `read in the text: ${found.length === 0 ? "all can fail" : found.join(", ")}`;
}

function describe({ path, line, title, why }: WeakTestOfFile): string {
  return `${path}:${line}: "${title}": ${reasons[why]}`;
}

function idsOf({ path, title }: WeakTestOfFile, { first }: Facts): readonly string[] {
  return first.report.tests
    .map(({ id }) => id)
    .filter((id) => fileOfTest(id) === path && titleOfTest(id).replace(/\[.*\]$/s, "") === title);
}
