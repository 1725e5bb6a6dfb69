/** The findings of one gate's reviewers: part of the run's read model. Pure. */
import type { EventOf } from "./run-event.ts";

export type ReviewFinding = EventOf<"findings.tracked">["findings"][number] & { readonly reviewer: string };

/** A reviewer's newest round replaces the previous one. */
export function replaceFindings(
  before: readonly ReviewFinding[],
  { reviewer, findings }: EventOf<"findings.tracked">,
): readonly ReviewFinding[] {
  return [
    ...before.filter((finding) => finding.reviewer !== reviewer),
    ...findings.map((finding) => ({ ...finding, reviewer })),
  ];
}
