import { gateText, proofNotes, section, type GateReviews } from "./review-text.ts";
import { safeLine } from "../../lib/safe-text.ts";

/** The text that a person reads before an approval: the plan in Phase 4 (ORC-66), the code in Phase 9 (ORC-67). */
export interface PlanFacts {
  readonly task: string;
  readonly requirements: readonly Requirement[];
  readonly files: readonly string[];
  /** Criterion id -> titles. */
  readonly plannedTests: Readonly<Record<string, readonly string[]>>;
  /** Paths of the documents. */
  readonly documents: readonly string[];
  readonly gate: GateReviews;
  readonly warnings: readonly string[];
}

export interface Requirement {
  readonly id: string;
  readonly text: string;
}

export interface CodeFacts {
  readonly task: string;
  readonly commit: string;
  readonly branch: string;
  readonly requirements: readonly TestedRequirement[];
  /** Paths changed since the run's start. */
  readonly files: readonly string[];
  readonly gate: GateReviews;
  /** The newest record's block; null if nothing was executed for the current tree. */
  readonly block: { readonly text: string; readonly exit: string; readonly forCurrentTree: boolean } | null;
  /** Ids of failing tests. */
  readonly failing: readonly string[];
  readonly warnings: readonly string[];
}

export interface TestedRequirement extends Requirement {
  /** Ids of its tests. */
  readonly tests: readonly string[];
}

export const waitingForCode = "--- WAITING FOR CODE APPROVAL ---";

export function planPresentation(plan: PlanFacts): string {
  const tests = Object.entries(plan.plannedTests).map(
    ([id, titles]) => `${id}: ${titles.map(quoted).join(", ")}`,
  );
  return [
    ["PLAN SUMMARY", `Task: ${safeLine(plan.task)}`].join("\n"),
    section("Requirements", plan.requirements.map(requirementText)),
    section("Files", plan.files),
    section("Planned tests", tests),
    section("Documents", plan.documents),
    gateText(plan.gate),
    section("Warnings", plan.warnings),
  ].join("\n\n");
}

/** The block comes last before the waiting line, exactly as rendered from the record. */
export function codePresentation(code: CodeFacts): string {
  const { block, failing } = code;
  const verified = block !== null && block.forCurrentTree && block.exit === "0" && failing.length === 0;
  const notes = proofNotes({ verified, failing });
  return [
    [
      "IMPLEMENTATION SUMMARY",
      `Task: ${safeLine(code.task)}`,
      `Commit: ${code.commit} on ${code.branch}`,
      ...notes,
    ].join("\n"),
    section(
      "Requirements",
      code.requirements.map((one) => testedText(one, { verified, failing })),
    ),
    section("Files changed", code.files),
    section("Warnings", code.warnings),
    gateText(code.gate, block?.exit ?? "none"),
    ...(block === null ? [] : [block.text]),
    waitingForCode,
  ].join("\n\n");
}

/** A requirement with its tests, marked if it is not proven for the current tree. */
export function testedText(
  { id, text, tests }: TestedRequirement,
  proof: { readonly verified: boolean; readonly failing: readonly string[] },
): string {
  const failing = tests.filter((test) => proof.failing.includes(test));
  const mark = failing.length > 0 ? " FAILING" : proof.verified && tests.length > 0 ? "" : " UNVERIFIED";
  return `${id}: ${text} [${tests.length === 0 ? "no test" : tests.join("; ")}]${mark}`;
}

function requirementText({ id, text }: Requirement): string {
  return `${id}: ${text}`;
}

function quoted(title: string): string {
  return `"${title}"`;
}
