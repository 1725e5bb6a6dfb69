/**
 * Ranks documents for a phrase. Sections are scored by BM25. Of a word and its synonyms in the thesaurus the best score counts;
 * terms that co-occur with the words of the phrase in the best sections add a little.
 */
import type { Concept } from "./companions.ts";
import { companions } from "./companions.ts";
import type { Documents } from "./refresh.ts";
import { addBest, hitsOf, rarity, saturation, sectionsOf, type SectionIndex } from "./section-index.ts";
import { neighboursOf } from "./thesaurus.ts";
import { termsOf, wordsOf } from "./words.ts";

export interface RankedDocument {
  readonly path: string;
  /** Score divided by the maximum possible score, from 0 to 1. */
  readonly similarity: number;
}

/** The weight of a synonym relative to the word itself. */
const neighbourShare = 0.7;
/** The weight of a document's second-best section; its square is that of the third. */
const nextShare = 0.3;
const maxShareSum = 1 + nextShare + nextShare ** 2;
/** Documents below this share of the best score are left out. */
const minShare = 0.25;
/** Only this many words of a phrase are used. */
const maxWords = 64;

/** Best first, ties by path. Empty if no document has a word of the phrase or a synonym. */
export function rank(
  documents: Documents,
  phrase: string,
  index = sectionsOf(documents),
): readonly RankedDocument[] {
  const concepts = conceptsOf(phrase, documents, index);
  const hits = hitsOf(index, new Set(concepts.flatMap(({ terms }) => [...terms.keys()])));
  const scores = new Float64Array(index.count);
  for (const { terms } of concepts) addBest(index, { hits, shares: terms }, scores);

  const together = companions({ index, concepts, scores, names: documents.vocabulary.terms });
  const beside = hitsOf(index, new Set(together.keys()));
  const extra = new Float64Array(index.count);
  for (const one of together) addBest(index, { hits: beside, shares: new Map([one]) }, extra);
  // Companions only reorder the sections that the words have found.
  for (let section = 0; section < index.count; section++)
    if ((scores[section] ?? 0) > 0) scores[section] = (scores[section] ?? 0) + (extra[section] ?? 0);

  const maxScore = concepts.reduce((sum, { terms }) => sum + maxScoreOf(index, terms), 0) * maxShareSum;
  const found = documents.files.map(({ path }, file) => ({
    path,
    score: scoreOf(scores, index.firsts[file], index.firsts[file + 1]),
  }));
  const minScore = found.reduce((best, { score }) => Math.max(best, score), 0) * minShare;
  return found
    .filter(({ score }) => score > 0 && score >= minScore)
    .toSorted((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1))
    .map(({ path, score }) => ({ path, similarity: Math.min(1, score / maxScore) }));
}

function conceptsOf(
  phrase: string,
  { vocabulary }: Documents,
  { frequencies }: SectionIndex,
): readonly Concept[] {
  const found = new Set<string>();
  wordsOf(phrase, (word) => {
    for (const term of termsOf(word)) found.add(term);
  });
  const words = [...found].slice(0, maxWords);
  // Terms of deleted documents still have a number.
  const numberOf = (term: string): number | undefined => {
    const number = vocabulary.numberOf(term);
    return number !== undefined && (frequencies[number] ?? 0) > 0 ? number : undefined;
  };
  return words.map((word) => {
    const others = [...neighboursOf(word)].filter((other) => !words.includes(other));
    const shares = [[word, 1] as const, ...others.map((other) => [other, neighbourShare] as const)];
    const known = shares.flatMap(([term, share]) => {
      const number = numberOf(term);
      return number === undefined ? [] : [[number, share] as const];
    });
    return { word, number: numberOf(word), terms: new Map(known) };
  });
}

/** The best section counts most; the next two add a share. */
function scoreOf(scores: Float64Array, from = 0, to = 0): number {
  let [first, second, third] = [0, 0, 0];
  for (let section = from; section < to; section++) {
    const score = scores[section] ?? 0;
    if (score > first) [first, second, third] = [score, first, second];
    else if (score > second) [second, third] = [score, second];
    else if (score > third) third = score;
  }
  return first + nextShare * second + nextShare ** 2 * third;
}

function maxScoreOf(index: SectionIndex, terms: ReadonlyMap<number, number>): number {
  return Math.max(0, ...[...terms].map(([term, share]) => share * rarity(index, term) * saturation));
}
