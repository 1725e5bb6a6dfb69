/**
 * Ranks documents for a phrase. Sections score by BM25. A word of the phrase counts by the best of itself and its
 * neighbours of the thesaurus; terms that stand together with the phrase's words in the best sections then count a little.
 */
import type { Concept } from "./companions.ts";
import { companions } from "./companions.ts";
import type { Documents } from "./refresh.ts";
import { addBest, hitsOf, rarity, saturation, sectionsOf, type SectionIndex } from "./section-index.ts";
import { neighboursOf } from "./thesaurus.ts";
import { termsOf, wordsOf } from "./words.ts";

export interface RankedDocument {
  readonly path: string;
  /** Between 0 and 1: of what a section could score at most. */
  readonly similarity: number;
}

/** What a neighbour counts, against the word itself. */
const neighbourShare = 0.7;
/** What the second-best section of a document adds, and its square the third. */
const nextShare = 0.3;
const maxShareSum = 1 + nextShare + nextShare ** 2;
/** A document that is this much worse than the best only takes room. */
const minShare = 0.25;
/** A phrase is no document. */
const maxWords = 64;

/** Best first; equal ones by path. None where no word of the phrase, nor a neighbour, stands anywhere. */
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
  // They move what was found, and find nothing by themselves.
  for (let section = 0; section < index.count; section++)
    if ((scores[section] ?? 0) > 0) scores[section] = (scores[section] ?? 0) + (extra[section] ?? 0);

  const most = concepts.reduce((sum, { terms }) => sum + maxScoreOf(index, terms), 0) * maxShareSum;
  const found = documents.files.map(({ path }, file) => ({
    path,
    score: scoreOf(scores, index.firsts[file], index.firsts[file + 1]),
  }));
  const least = found.reduce((best, { score }) => Math.max(best, score), 0) * minShare;
  return found
    .filter(({ score }) => score > 0 && score >= least)
    .toSorted((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1))
    .map(({ path, score }) => ({ path, similarity: Math.min(1, score / most) }));
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
  // Terms of documents that are gone have a number still.
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

/** One good section makes a good document; two more make it better. */
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
