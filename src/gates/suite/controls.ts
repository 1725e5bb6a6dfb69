/** Negative controls: runs that must fail, so that a pass has meaning (verification 0.5). */
import { failed, shortList, passed } from "../check.ts";
import type { Check } from "../verdict.ts";
import type { Neighbours } from "../special-case/answers.ts";
import { specialCaseWords } from "../special-case/hard-coded.ts";
import { flipWords, type Flip } from "./flip.ts";
import { surroundingWords, type Surrounding } from "./surrounding.ts";
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
