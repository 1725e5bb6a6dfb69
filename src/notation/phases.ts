/** The phases of a test-driven cycle, their roles, and all accepted spellings. Pure. */
import { lookAlike, spelled } from "./spelling.ts";

export type Phase = "ℜ" | "ℜᴳ" | "ℜᶠᵗ" | "ℜᶠⁱ" | "review_tests" | "review_impl";

export interface PhaseEntry {
  readonly phase: Phase;
  /** QA and DE never work at the same time (ROLES). */
  readonly role: "QA" | "DE";
  readonly meaning: string;
  /** Other spellings, the ASCII one first. */
  readonly spellings: readonly string[];
}

export const phases: readonly PhaseEntry[] = [
  { phase: "ℜ", role: "QA", meaning: "QA writes failing tests", spellings: ["RED", "Ω₅ᴿ"] },
  { phase: "ℜᴳ", role: "DE", meaning: "DE implements no more than they ask", spellings: ["GREEN", "Ω₅ᴳ"] },
  {
    phase: "ℜᶠᵗ",
    role: "QA",
    meaning: "QA refactors the tests",
    spellings: ["REFACTOR_TEST", "ℜᶠᵗᵉˢᵗ", "Ω₅ᶠᵗᵉˢᵗ"],
  },
  {
    phase: "ℜᶠⁱ",
    role: "DE",
    meaning: "DE refactors the implementation",
    spellings: ["REFACTOR_IMPL", "ℜᶠⁱᵐᵖˡ", "Ω₅ᶠⁱᵐᵖˡ"],
  },
  { phase: "review_tests", role: "DE", meaning: "DE reviews QA's tests", spellings: [] },
  { phase: "review_impl", role: "QA", meaning: "QA reviews DE's implementation", spellings: [] },
];

/** The phase with this spelling; null: none. ℜᶠ is none: it belongs to QA or to DE. */
export function findPhase(text: string): Phase | null {
  return spellings.get(text) ?? null;
}

/** A hint for a text that is not a phase. */
export function phaseHint(text: string): string {
  const meant = lookAlike(text, spellings.keys());
  if (meant !== null) return `write ${spelled(meant)}`;
  return `the phases are ${phases
    .map(({ phase, spellings: [ascii] }) => (ascii === undefined ? phase : `${phase} (${ascii})`))
    .join(", ")}`;
}

export function phasesOf(role: "QA" | "DE"): readonly Phase[] {
  return phases.flatMap((entry) => (entry.role === role ? [entry.phase] : []));
}

const spellings = new Map(
  phases.flatMap(({ phase, spellings: others }) =>
    [phase, ...others].map((spelling): [string, Phase] => [spelling, phase]),
  ),
);
