/** Judges guards: new tests that pass without the change, beside others that fail without it (PRV-11). Pure. */
import { counted } from "../../lib/counted.ts";
import { failed, passed, shortList } from "../check.ts";
import type { Check, Finding } from "../verdict.ts";
import type { Characterization } from "./characterization.ts";

const name = "guards";

/** A guard that mutants show to notice nothing is refused; what could not be tried is a finding, and blocks nothing. */
export function judgeGuards(
  found: Characterization,
  guards: readonly string[],
): { readonly check: Check; readonly findings: readonly Finding[] } {
  if (found.state === "not measured") return { check: passed(name), findings: untried(guards, found.why) };
  const blind = found.powerless.filter(({ tried }) => tried > 0);
  const still = found.powerless.filter(({ tried }) => tried === 0).map(({ id }) => id);
  return {
    check: blind.length === 0 ? passed(name, guards) : refused(blind),
    findings: [
      ...untried(still, "no code that it executes can be mutated"),
      ...untried(found.open, `not within ${found.budgetMs / 1000} s`),
    ],
  };
}

function refused(blind: readonly { readonly id: string; readonly tried: number }[]): Check {
  const many = blind.length > 1;
  const words = blind.map(({ id, tried }) => `${id} notices none of ${counted(tried, "fault")}`);
  return {
    ...failed(
      name,
      `${counted(blind.length, "test")} ${many ? "pass" : "passes"} without the change, and would notice no fault: ${shortList(words, 4)}; a test that compares what the code returns is accepted, and so is \`--accept-test ID\``,
      blind.map(({ id }) => id),
    ),
    acceptable: true,
  };
}

function untried(ids: readonly string[], why: string): readonly Finding[] {
  if (ids.length === 0) return [];
  const many = ids.length > 1;
  return [
    {
      code: "passes_already",
      severity: "finding",
      message: `${counted(ids.length, "test")} ${many ? "pass" : "passes"} without the change, and nothing shows that ${many ? "they" : "it"} would notice a fault (${why}): ${shortList(ids, 4)}`,
    },
  ];
}
