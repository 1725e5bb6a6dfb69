import { counted } from "../../lib/counted.ts";
import { testedText, type TestedRequirement } from "../gate/presentation.ts";
import { proofNotes, section } from "../gate/review-text.ts";
import { safeLine } from "../../lib/safe-text.ts";
import type { ReviewCount } from "./state-line.ts";

/** The TLDR of Phase 10 and the last line of every run (ORC-54, 83, 85). Success is derived here, never passed in. */
export interface SummaryFacts {
  readonly run: string;
  readonly task: string;
  readonly protocol: string;
  /** How the kernel ended the run. */
  readonly outcome: "complete" | "halted" | "failed" | "stopped";
  /** Why it is not complete; unused for a complete run. */
  readonly reason: string;
  readonly requirements: readonly TestedRequirement[];
  readonly files: readonly string[];
  /** Null if the protocol has no such gates. */
  readonly gates: readonly GateUse[] | null;
  /** Verdict lines of critics and reviewers, for a protocol without such gates. */
  readonly loopReviews?: readonly string[];
  /** The lines of a graph's nodes. */
  readonly nodes?: readonly string[];
  readonly warnings: readonly string[];
  readonly trips: readonly { readonly trigger: string; readonly attempts: number; readonly max: number }[];
  /** `$1.25`; `unknown` if no agent reported its cost. */
  readonly cost: string;
  readonly branch: string;
  /** The command that merges the result by hand. */
  readonly merge?: string;
  /** The final verification; null if it did not run. */
  readonly block: { readonly text: string; readonly exitCode: number | null } | null;
  /** Required tests that did not pass in it. */
  readonly failing: readonly string[];
}

export interface GateUse {
  /** `gate 1 (plan)`. */
  readonly name: string;
  /** Reviews since the gate's last reset, and all reviews of the run. */
  readonly reviews: readonly (ReviewCount & { readonly all: number })[];
  /** `single-reviewer`, `same-vendor review`. */
  readonly marks: readonly string[];
}

export function summary(facts: SummaryFacts): string {
  const { run, block, failing } = facts;
  const done = isDone(facts);
  const proof = { verified: block?.exitCode === 0 && failing.length === 0, failing };
  return [
    ["TLDR", `Task: ${safeLine(facts.task)}`, ...proofNotes(proof)].join("\n"),
    section(
      "Requirements",
      facts.requirements.map((requirement) => testedText(requirement, proof)),
    ),
    section("Files changed", facts.files),
    ...(facts.gates === null
      ? []
      : [section("Reviews", [...facts.gates.map(gateLine), ...(facts.loopReviews ?? [])])]),
    ...(facts.nodes === undefined ? [] : [["Nodes:", ...facts.nodes.map((line) => `  ${line}`)].join("\n")]),
    section("Warnings", facts.warnings),
    section("Circuit breakers tripped", facts.trips.map(tripLine)),
    [
      `Cost: ${facts.cost}`,
      `Branch: ${facts.branch}`,
      `Verify: mettle verify ${run}`,
      ...(done ? [`Land: mettle land ${run}`] : []),
      ...(done && facts.merge !== undefined ? [`Merge: ${facts.merge}`] : []),
    ].join("\n"),
    ...(block === null ? [] : [block.text]),
    lastLine(facts),
  ].join("\n\n");
}

/** The last line of a run: complete with proof, or not done with the reason. */
export function lastLine(
  facts: Pick<SummaryFacts, "protocol" | "outcome" | "reason" | "block" | "failing">,
): string {
  return isDone(facts) ? `✓ ${nameOf(facts.protocol)} COMPLETE` : `✗ NOT DONE: ${notDoneReason(facts)}`;
}

/** The seed's name of its protocol (ORC-54). */
function nameOf(protocol: string): string {
  return protocol === "orchestrate" ? "ORCHESTRATION" : protocol.toUpperCase();
}

function isDone({ outcome, block, failing }: Pick<SummaryFacts, "outcome" | "block" | "failing">): boolean {
  return outcome === "complete" && block?.exitCode === 0 && failing.length === 0;
}

function notDoneReason({
  outcome,
  reason,
  block,
  failing,
}: Pick<SummaryFacts, "outcome" | "reason" | "block" | "failing">): string {
  if (outcome !== "complete") return safeLine(reason) || outcome;
  if (block === null) return "the final verification did not run";
  if (block.exitCode !== 0)
    return `the final verification ended with EXIT_CODE ${String(block.exitCode ?? "none")}`;
  return `${counted(failing.length, "required test")} did not pass`;
}

function gateLine({ name, reviews, marks }: GateUse): string {
  const used = reviews.map(
    ({ label, given, limit, all }) => `${label} ${given}/${limit}${all > given ? ` (${all} in all)` : ""}`,
  );
  return `${name}: ${used.join(", ")}${marks.map((mark) => ` [${mark}]`).join("")}`;
}

function tripLine({ trigger, attempts, max }: SummaryFacts["trips"][number]): string {
  return `${trigger}, attempts ${String(attempts)}/${String(max)}`;
}
