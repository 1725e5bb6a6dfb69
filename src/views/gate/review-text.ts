import { counted } from "../../lib/counted.ts";
import { joinWithAnd, safeLine, safeText } from "../../lib/safe-text.ts";

/** The reviews of a gate as text: verdicts, all fields verbatim, and the gate's marks. */
export interface GateReviews {
  readonly reviews: readonly ReviewEntry[];
  /** The label of reviewer 1 if the gate continued without it (ORC-77). */
  readonly silent: string | null;
}

export interface ReviewEntry {
  readonly label: string;
  readonly agent: string;
  readonly vendor: string;
  readonly verdict: "APPROVED" | "NEEDS_WORK" | "inconclusive" | "empty";
  /** `contradiction`, `timeout` …; empty if the verdict is the reviewer's. */
  readonly reason: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** @param ownExit exit code of the runtime's run, shown beside a reviewer's (ORC-33); undefined shows none */
export function gateText(gate: GateReviews, ownExit?: string): string {
  const silent =
    gate.silent === null
      ? []
      : [
          `${safeLine(gate.silent)} review: none\n⚠️ ${safeLine(gate.silent)} stayed silent twice; one reviewer has judged`,
        ];
  const marks = gateMarks(gate).map((mark) => `⚠️ ${mark}`);
  return [
    ...silent,
    ...gate.reviews.map((review) => reviewText(review, ownExit)),
    ...(marks.length === 0 ? [] : [marks.join("\n")]),
  ].join("\n\n");
}

/** `single-reviewer`, `same-vendor review`. */
export function gateMarks({ reviews, silent }: GateReviews): readonly string[] {
  const judged = reviews.filter(({ verdict }) => verdict === "APPROVED" || verdict === "NEEDS_WORK");
  const vendors = new Set(judged.map(({ vendor }) => vendor));
  return [
    ...(silent === null ? [] : ["single-reviewer"]),
    ...(judged.length > 1 && vendors.size === 1 ? ["same-vendor review"] : []),
  ];
}

function reviewText(review: ReviewEntry, ownExit: string | undefined): string {
  const { label, agent, verdict, reason, fields } = review;
  return [
    `${safeLine(label)} review (${safeLine(agent)}): ${verdict}${reason === "" ? "" : ` (${safeLine(reason)})`}`,
    ...Object.entries(fields).map(([name, value]) => fieldText(name, value)),
    ...exitText(review, ownExit),
  ].join("\n");
}

function fieldText(name: string, value: string): string {
  const text = safeText(value);
  return `${name}:${text.includes("\n") ? "\n" : " "}${text === "" ? "none" : text}`;
}

function exitText({ label, fields }: ReviewEntry, ownExit: string | undefined): readonly string[] {
  const claimed = fields["EXIT_CODE"];
  if (claimed === undefined || ownExit === undefined) return [];
  const same = claimed.split(" ")[0] === ownExit.split(" ")[0];
  return [
    `EXIT_CODE of the runtime's own run: ${ownExit}`,
    ...(same
      ? []
      : [
          `⚠️ ${safeLine(label)} says ${safeLine(claimed)}, the runtime's record says ${ownExit}; only the record counts`,
        ]),
  ];
}

/** `UNVERIFIED`, and the failing tests by number and id (ORC-51). */
export function proofNotes(proof: {
  readonly verified: boolean;
  readonly failing: readonly string[];
}): readonly string[] {
  const { verified, failing } = proof;
  return [
    ...(verified ? [] : ["UNVERIFIED: there is no record with exit 0 for the current tree"]),
    ...(failing.length === 0
      ? []
      : [`${counted(failing.length, "failing test")}: ${safeLine(joinWithAnd(failing))}`]),
  ];
}

/** A heading with the number of items and one line for each; `none` if there are none. */
export function section(title: string, items: readonly string[]): string {
  if (items.length === 0) return `${title}: none`;
  return [`${title} (${String(items.length)}):`, ...items.map((item) => `  ${safeLine(item)}`)].join("\n");
}
