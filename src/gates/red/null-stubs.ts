/**
 * RED with null stubs (CORE-26): the new tests run against units that do no work. A test that passes on all of them is a
 * tautology; one that passes on some is a finding.
 */
import { counted } from "../../lib/counted.ts";
import { failed, passed, shortList } from "../check.ts";
import { statusOf } from "../suite/suite.ts";
import type { Check, Finding } from "../verdict.ts";
import { nullStubs } from "./null-stub-results.ts";
import { acceptingInRun } from "./passing-tests.ts";
import type { NullStub } from "./reach-script.ts";
import { newTests, type RedFacts } from "./red-facts.ts";

const meanings: Readonly<Record<NullStub, string>> = {
  undefined: "returns nothing",
  identity: "returns its first argument",
  throw: "throws",
};

type Facts = Pick<RedFacts, "first" | "baseline" | "accepted" | "accepting" | "nullStubs">;

/** A person may accept each test by its name. */
export function checkTautology(facts: Facts): Check {
  const { accepted = [], accepting = acceptingInRun } = facts;
  const wrong = tautologies(facts).filter((id) => !accepted.includes(id));
  if (wrong.length === 0) return passed("tautology");
  const reason = `${counted(wrong.length, "test passes", "tests pass")} on units that return nothing, return their argument, and throw, so nothing the code does can fail ${wrong.length === 1 ? "it" : "them"}: ${shortList(wrong)}; compare what the unit returns with the expected value; a person can accept it: ${accepting}`;
  return { ...failed("tautology", reason, wrong), acceptable: true };
}

export function nullStubFindings(facts: Facts): readonly Finding[] {
  const { nullStubs: stubs } = facts;
  if (stubs === undefined) return [];
  if (stubs.state === "not measured")
    return [
      {
        code: "null_stubs",
        severity: "finding",
        message: `null stubs: not measured (${stubs.why})`,
      },
    ];
  const refused = new Set(tautologies(facts));
  return newTests(facts).flatMap((id) => {
    const on = nullStubs.filter((stub) => stubs.passing[stub].includes(id));
    if (on.length === 0 || refused.has(id)) return [];
    const message = `passes on a unit that ${on.map((stub) => meanings[stub]).join(", and on one that ")}: ${id}`;
    return [{ code: "null_stub", severity: "finding", message, testId: id } as const];
  });
}

/** The record's text. */
export function nullStubWords(facts: Facts): string {
  const { nullStubs: stubs } = facts;
  if (stubs === undefined) return "not measured (no test run)";
  if (stubs.state === "not measured") return `not measured (${stubs.why})`;
  const all = tautologies(facts).length;
  const some = nullStubFindings(facts).length;
  return `${counted(stubs.tests.length, "test")} on ${nullStubs.length} null stubs: ${all === 0 ? "none passes on all" : `${all} on all`}${some === 0 ? "" : `, ${some} on some`}`;
}

/** They passed in the judged run too: a test that fails there needs something of the change. */
function tautologies(facts: Facts): readonly string[] {
  const { nullStubs: stubs, first } = facts;
  if (stubs?.state !== "measured") return [];
  const now = statusOf(first);
  return stubs.tests.filter(
    (id) =>
      now.get(id) === "passed" &&
      !stubs.unsure.some((file) => id.startsWith(`${file}::`)) &&
      nullStubs.every((stub) => stubs.passing[stub].includes(id)),
  );
}
