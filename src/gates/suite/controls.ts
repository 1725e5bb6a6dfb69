/** Negative controls: runs that must fail, so that a pass has meaning (verification 0.5). */
import { counted } from "../../lib/counted.ts";
import { failed, shortList, passed } from "../check.ts";
import { acceptingInRun } from "../red/passing-tests.ts";
import type { RedFacts } from "../red/red-facts.ts";
import type { Check } from "../verdict.ts";
import type { Neighbours } from "../special-case/answers.ts";
import { specialCaseWords } from "../special-case/hard-coded.ts";
import { surroundingWords } from "./surrounding.ts";
import type { Surrounding } from "./surrounding-result.ts";
import { flipWords, type Flip, type PassedFlip } from "./flip.ts";
import { canaryHeld } from "../../evidence/overclaim/gate-rules.ts";

export type Canary =
  /** The false assertions failed as required. */
  | { readonly state: "held" }
  /** A false assertion passed together with these test files. */
  | { readonly state: "passed"; readonly files: readonly string[] }
  | { readonly state: "not measured"; readonly why: string };

export interface Controls {
  readonly canary: Canary;
  readonly flip: Flip;
  readonly surrounding: Surrounding;
  readonly neighbours: Neighbours;
  /** Tests of which no assertion ran. */
  readonly idle?: readonly PassedFlip[];
  /** Changed lines that no test executed, as text. */
  readonly coverage: string;
}

export function checkControls({ canary }: Controls): Check {
  if (canary.state !== "passed") return passed("canary");
  return failed(
    "canary",
    `a false assertion passed after these tests ran, so their matchers are replaced: ${shortList(canary.files)}`,
  );
}

/** Required tests that passed although none of their assertions ran: a loop had nothing to do, or a condition was false. */
export function idleChecks(
  { idle = [] }: Controls,
  { accepted = [], accepting = acceptingInRun }: Pick<RedFacts, "accepted" | "accepting">,
): readonly Check[] {
  const wrong = idle.filter(({ id }) => !accepted.includes(id));
  if (wrong.length === 0) return [];
  const places = wrong.map(({ id, file, line, was }) => `${file}:${line} \`${was}\` of ${id}`);
  const ids = wrong.map(({ id }) => id);
  const reason = `no assertion of ${counted(wrong.length, "test")} ran: ${shortList(places, 6)}; the test must compare in every case, for example the length of what it loops over; a person can accept it: ${accepting}`;
  return [{ ...failed("can_fail", reason, ids), acceptable: true }];
}

/** The record's text for each control. */
export function controlWords({
  canary,
  flip,
  surrounding,
  neighbours,
  coverage,
}: Controls): Readonly<Record<string, string>> {
  const words = {
    held: canaryHeld,
    passed: "passed: matchers are replaced",
    "not measured": "not measured",
  };
  return {
    canary: words[canary.state],
    flip: flipWords(flip),
    surrounding: surroundingWords(surrounding),
    special_case: specialCaseWords({ neighbours }),
    unexecuted_lines: coverage,
  };
}
