/** Locates a quoted sentence in the spec (V3-69). */
import type { Spec } from "../../../protocol/graph-types/shared.ts";

/** One note about `specSentence` of a payload; empty if it has no such field. */
export function quoteNotes(spec: Spec, payload: object): readonly string[] {
  const sentence = "specSentence" in payload ? payload.specSentence : undefined;
  if (typeof sentence !== "string") return [];
  const place = placeOf(spec, sentence);
  return [place === null ? "specSentence: not in the spec" : `specSentence: in ${place}`];
}

function placeOf(spec: Spec, sentence: string): string | null {
  const wanted = plain(sentence);
  if (wanted === "") return null;
  const holds = (text: string) => plain(text).includes(wanted);
  const criterion = spec.acceptanceCriteria.find(({ text }) => holds(text));
  if (criterion !== undefined) return criterion.id;
  if (holds(spec.description)) return "description";
  const { time, space } = spec.complexityConstraints ?? {};
  return [time, space].some((text) => typeof text === "string" && holds(text))
    ? "complexityConstraints"
    : null;
}

function plain(text: string): string {
  return text.replace(/\s+/gu, " ").trim().toLowerCase();
}
