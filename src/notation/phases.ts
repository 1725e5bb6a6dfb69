/** The phases of a test-driven cycle in a dispatch, who works in them, and every spelling that input may have. Pure. */
import { lookAlike, spelled } from "./spelling.ts";

export type Phase = "ℜ" | "ℜᴳ" | "ℜᶠᵗ" | "ℜᶠⁱ" | "review_tests" | "review_impl";

export interface PhaseEntry {
  readonly phase: Phase;
  /** QA and DE are never at work together (ROLES). */
  readonly role: "QA" | "DE";
  readonly meaning: string;
  /** Beside the phase itself, the one for keyboards first where there is one. */
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

/** Null for everything that is no spelling of a phase, ℜᶠ as a whole too: it is QA's or DE's. */
export function findPhase(text: string): Phase | null {
  return spellings.get(text) ?? null;
}

/** What to write in the place of a text that is no phase. */
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
