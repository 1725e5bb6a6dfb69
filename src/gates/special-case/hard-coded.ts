/**
 * The check `hard_coded` (PRV-15): a solution that answers the inputs of its tests from literals and no other input. Literals
 * and equal answers together block; one of them alone is a finding.
 */
import { counted } from "../../lib/counted.ts";
import { failed, passed, shortList } from "../check.ts";
import { acceptingInRun } from "../red/passing-tests.ts";
import type { Check, Finding } from "../verdict.ts";
import type { ChangedLiteral, Neighbours } from "./answers.ts";
import { suspicions, type Collapse, type LiteralEvidence, type Suspicion } from "./suspicion.ts";

export interface SpecialCaseFacts {
  readonly controls: { readonly neighbours: Neighbours };
  /** Literals in changed lines of source and data. */
  readonly literals?: readonly ChangedLiteral[] | undefined;
  readonly required: readonly string[];
  /** Ids of tests that a person accepted. */
  readonly accepted?: readonly string[] | undefined;
  /** The command that accepts a test. */
  readonly accepting?: string | undefined;
}

export function checkHardCoded(facts: SpecialCaseFacts): Check {
  const { accepting = acceptingInRun } = facts;
  const open = proven(facts).filter((one) => isOpen(one, facts));
  if (open.length === 0) return passed("hard_coded");
  const ids = [...new Set(open.flatMap((one) => idsOf(one, facts)))];
  const reason = `${open.map(wordsOf).join("; ")}; compute the answer from the input, or let a person accept the tests: ${accepting}`;
  return { ...failed("hard_coded", reason, ids), acceptable: true };
}

export function hardCodedFindings(facts: SpecialCaseFacts): readonly Finding[] {
  return found(facts)
    .filter((one) => !one.isProven || !isOpen(one, facts))
    .map((one) => ({
      code: "special_case",
      severity: "finding",
      message: `${wordsOf(one)}${one.isProven ? "; a person accepted this" : ""}`,
      testId: idsOf(one, facts)[0] ?? one.file,
    }));
}

/** The record's text. */
export function specialCaseWords({ neighbours }: SpecialCaseFacts["controls"]): string {
  if (neighbours.state === "not measured") return `not measured (${neighbours.why})`;
  const answers = neighbours.files.flatMap((file) => [...file.answers.values()]);
  const inputs = answers.flatMap((one) => [...one.found.values()]).reduce((sum, count) => sum + count, 0);
  return `${counted(inputs, "neighbouring input")} of ${counted(answers.length, "assertion")}`;
}

function found({ controls: { neighbours }, literals = [] }: SpecialCaseFacts): readonly Suspicion[] {
  return neighbours.state === "measured" ? suspicions(neighbours.files, literals) : [];
}

function proven(facts: SpecialCaseFacts): readonly Suspicion[] {
  return found(facts).filter(({ isProven }) => isProven);
}

function isOpen(one: Suspicion, facts: SpecialCaseFacts): boolean {
  return idsOf(one, facts).some((id) => facts.accepted?.includes(id) !== true);
}

/** Ids of required tests: duplicates and tables add an ending to the name. */
function idsOf({ file, tests }: Suspicion, { required }: SpecialCaseFacts): readonly string[] {
  const names = new Set(tests.map((name) => `${file}::${name}`));
  return required.filter((id) => names.has(id) || names.has(id.replace(/(?:#\d+|\[.*\])$/su, "")));
}

function wordsOf({ subject, literals, collapse }: Suspicion): string {
  const parts = [
    ...(literals === null ? [] : [literalWords(literals)]),
    ...(collapse === null ? [] : [collapseWords(collapse)]),
  ];
  return `\`${subject}\` ${parts.join(", and ")}`;
}

function literalWords({ calls, held, places }: LiteralEvidence): string {
  return `contains literals of ${held} of the ${counted(calls, "call")} in its tests (${shortList(places, 4)})`;
}

function collapseWords({ neighbours, same, distinct }: Collapse): string {
  if (distinct === 1)
    return `gives one answer for all ${neighbours} neighbouring inputs, and another one only in its tests`;
  return `gives the same or no answer for ${same} of ${neighbours} neighbouring inputs, but ${distinct} different ones in its tests`;
}
