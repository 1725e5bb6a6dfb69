/**
 * Expands a phrase with terms of the corpus: those that co-occur with most of its words in the sections that these words find
 * (local context analysis, Xu and Croft 1996).
 */
import { termOf, weightOf } from "./analysis.ts";

import { rarity, type SectionIndex } from "./section-index.ts";

const limits = { sections: 50, terms: 10 };
const share = { first: 0.2, last: 0.02 };
/** A synonym is weaker evidence for the topic of a section than the word itself. */
const neighbourWeight = 0.5;
const maxWeight = 3;
/** The companions of a phrase with this many words are fully trusted; those of a single word may be about anything. */
const longPhrase = 5;
/** A term of this rarity counts as fully specific. */
const specificRarity = 5;

export interface ScoredSections {
  readonly index: SectionIndex;
  readonly concepts: readonly Concept[];
  readonly scores: Float64Array;
  readonly names: readonly string[];
}

/** The weight of each companion relative to a word of the phrase. */
export function companions(found: ScoredSections): ReadonlyMap<number, number> {
  const { index, names, concepts } = found;
  const exponents = concepts.map(({ number }) => Math.min(1, rarity(index, number) / specificRarity));
  const valueOf = (term: number, beside: Float64Array) => {
    const own = Math.min(1, rarity(index, term) / specificRarity) / Math.log2(limits.sections);
    let value = 1;
    for (let at = 0; at < beside.length; at++)
      value *= (0.1 + own * Math.log2(1 + (beside[at] ?? 0))) ** (exponents[at] ?? 0);
    return value;
  };
  const best = [...cooccurrences(found)]
    .map(([term, beside]) => ({ term, value: valueOf(term, beside) }))
    .toSorted((a, b) => b.value - a.value || ((names[a.term] ?? "") < (names[b.term] ?? "") ? -1 : 1))
    .slice(0, limits.terms);
  const step = (share.first - share.last) / limits.terms;
  const trust = Math.min(1, concepts.length / longPhrase);
  return new Map(best.map(({ term }, place) => [term, trust * (share.first - step * place)]));
}

/** For each term of the best sections, its co-occurrence with each concept. */
function cooccurrences({
  index,
  concepts,
  scores,
  names,
}: ScoredSections): ReadonlyMap<number, Float64Array> {
  const words = new Set(concepts.map(({ word }) => word));
  const beside = new Map<number, Float64Array | null>();
  const sections = new Map<number, number>();
  const sumsOf = (term: number): Float64Array | null => {
    const known = beside.get(term);
    if (known !== undefined) return known;
    const name = names[term] ?? "";
    const isCandidate = name.length > 2 && !/^\d/.test(name) && !words.has(name);
    const sums = isCandidate ? new Float64Array(concepts.length) : null;
    beside.set(term, sums);
    return sums;
  };
  for (const section of bestSections(scores)) {
    const terms = index.packed.subarray(index.starts[section], index.starts[section + 1]);
    const strengths = strengthsOf(concepts, terms);
    for (const one of terms) {
      const sums = sumsOf(termOf(one));
      if (sums !== null) sections.set(termOf(one), (sections.get(termOf(one)) ?? 0) + 1);
      const weight = Math.min(maxWeight, weightOf(one));
      for (let at = 0; sums !== null && at < sums.length; at++)
        sums[at] = (sums[at] ?? 0) + weight * (strengths[at] ?? 0);
    }
  }
  return new Map(
    [...beside].flatMap(([term, sums]) =>
      sums === null || (sections.get(term) ?? 0) < 2 ? [] : [[term, sums] as const],
    ),
  );
}

function bestSections(scores: Float64Array): readonly number[] {
  const found: number[] = [];
  for (let section = 0; section < scores.length; section++)
    if ((scores[section] ?? 0) > 0) found.push(section);
  return found.toSorted((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b).slice(0, limits.sections);
}

/** How strongly a section is about each concept. */
function strengthsOf(concepts: readonly Concept[], terms: Uint32Array): Float64Array {
  const strengths = new Float64Array(concepts.length);
  for (const one of terms)
    for (let at = 0; at < concepts.length; at++) {
      const own = concepts[at]?.terms.get(termOf(one));
      if (own === undefined) continue;
      const strength = Math.min(maxWeight, weightOf(one)) * (own < 1 ? neighbourWeight : 1);
      strengths[at] = Math.max(strengths[at] ?? 0, strength);
    }
  return strengths;
}

/** A word of the phrase, with the terms that match it and their weights. */
export interface Concept {
  readonly word: string;
  /** Undefined if no document has it. */
  readonly number: number | undefined;
  readonly terms: ReadonlyMap<number, number>;
}
