/** What a code host shows beside the lines of a change: wrong checks first, then findings. */
import type { GateAnswer } from "../answer.ts";
import { asksForReview, notedFindings } from "../notes.ts";
import type { Place } from "../places.ts";
import { wrongOutcomes } from "./outcomes.ts";
import { readable } from "./readable.ts";

export interface Annotation {
  readonly name: string;
  readonly title: string;
  readonly level: "error" | "warning" | "notice";
  readonly text: string;
  readonly place: Place | null;
}

export function annotationsOf(given: GateAnswer): readonly Annotation[] {
  const answer = readable(given);
  const wrong = wrongOutcomes(answer).flatMap(({ name, title, reason, places }) =>
    each(places, { name, title, level: "error", text: reason }),
  );
  const findings = notedFindings(answer).flatMap((finding) => {
    const level = finding.severity === "block" ? "error" : asksForReview(finding) ? "warning" : "notice";
    return each(finding.places, {
      name: finding.code,
      title: finding.code.replaceAll("_", " "),
      level,
      text: finding.message,
    });
  });
  return [...wrong, ...findings];
}

/** One annotation for each place, or one without. */
function each(places: readonly Place[], annotation: Omit<Annotation, "place">): readonly Annotation[] {
  return places.length === 0
    ? [{ ...annotation, place: null }]
    : places.map((place) => ({ ...annotation, place }));
}
