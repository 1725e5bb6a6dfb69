/**
 * All sections of all documents in flat arrays that are scanned from end to end: they are small, and no order has to be maintained
 * when a document changes.
 */
import { termOf, weightOf } from "./analysis.ts";
import type { Documents } from "./refresh.ts";

export interface SectionIndex {
  readonly count: number;
  /** For each section the offset of its terms in `packed`; one more for the end. */
  readonly starts: Uint32Array;
  readonly packed: Uint32Array;
  /** The length normalization of each section. */
  readonly norms: Float64Array;
  /** For each file its first section; one more for the end. */
  readonly firsts: Uint32Array;
  /** In how many sections each term occurs. */
  readonly frequencies: Uint32Array;
}

const k1 = 1.2;
const lengthShare = 0.5;
/** The maximum factor of a term's weight in a section. */
export const saturation = k1 + 1;

export function sectionsOf({ files, vocabulary }: Documents): SectionIndex {
  const packed = new Uint32Array(files.reduce((sum, { analysis }) => sum + analysis.length, 0));
  const frequencies = new Uint32Array(vocabulary.terms.length);
  const starts = [0];
  const lengths: number[] = [];
  const firsts = [0];
  let end = 0;
  for (const { analysis } of files) {
    for (let at = 0; at < analysis.length;) {
      lengths.push(analysis[at] ?? 0);
      const next = at + 2 + (analysis[at + 1] ?? 0);
      packed.set(analysis.subarray(at + 2, next), end);
      end += next - at - 2;
      starts.push(end);
      at = next;
    }
    firsts.push(lengths.length);
  }
  for (let at = 0; at < end; at++) {
    const term = termOf(packed[at] ?? 0);
    frequencies[term] = (frequencies[term] ?? 0) + 1;
  }
  const average = Math.max(1, lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length));
  return {
    count: lengths.length,
    starts: Uint32Array.from(starts),
    packed: packed.subarray(0, end),
    norms: Float64Array.from(lengths, (length) => k1 * (1 - lengthShare + (lengthShare * length) / average)),
    firsts: Uint32Array.from(firsts),
    frequencies,
  };
}

/** For each term the sections that have it, with its weights. */
export type Hits = ReadonlyMap<number, Postings>;

interface Postings {
  readonly sections: number[];
  readonly weights: number[];
}

export function hitsOf(index: SectionIndex, terms: ReadonlySet<number>): Hits {
  const { packed, starts, count } = index;
  const places: Postings[] = [];
  /** For each term its position in `places`, from 1. */
  const slots = new Uint16Array(index.frequencies.length);
  for (const term of terms) slots[term] = places.push({ sections: [], weights: [] });
  for (let section = 0; section < count; section++) {
    const end = starts[section + 1] ?? 0;
    for (let at = starts[section] ?? 0; at < end; at++) {
      const one = packed[at] ?? 0;
      const slot = slots[termOf(one)] ?? 0;
      if (slot === 0) continue;
      const found = places[slot - 1];
      found?.sections.push(section);
      found?.weights.push(weightOf(one));
    }
  }
  return new Map([...terms].map((term, slot) => [term, places[slot] ?? { sections: [], weights: [] }]));
}

/** Adds to each section the score of the best of these terms. */
export function addBest(
  index: SectionIndex,
  { hits, shares }: { hits: Hits; shares: ReadonlyMap<number, number> },
  scores: Float64Array,
): void {
  const best = shares.size === 1 ? null : new Float64Array(index.count);
  for (const [term, share] of shares) {
    const { sections = [], weights = [] } = hits.get(term) ?? {};
    const factor = share * rarity(index, term) * saturation;
    for (let at = 0; at < sections.length; at++) {
      const section = sections[at] ?? 0;
      const weight = weights[at] ?? 0;
      const score = (factor * weight) / (weight + (index.norms[section] ?? 0));
      if (best === null) scores[section] = (scores[section] ?? 0) + score;
      else if (score > (best[section] ?? 0)) best[section] = score;
    }
  }
  if (best === null) return;
  for (let section = 0; section < index.count; section++)
    scores[section] = (scores[section] ?? 0) + (best[section] ?? 0);
}

export function rarity({ count, frequencies }: SectionIndex, term: number | undefined): number {
  const frequency = term === undefined ? 0 : (frequencies[term] ?? 0);
  return Math.log(1 + (count - frequency + 0.5) / (frequency + 0.5));
}
