import { termsOf, wordsOf } from "./words.ts";

/** Numbers the terms. It only grows: a number never changes its term. */
export interface Vocabulary {
  readonly terms: readonly string[];
  /** The numbers of all terms of a text, in order; new terms get a number. */
  read(text: string): readonly number[];
  /** The number of a known term, else undefined. */
  numberOf(term: string): number | undefined;
}

export function vocabularyOf(known: readonly string[]): Vocabulary {
  const terms = [...known];
  const numbers = new Map(terms.map((term, index) => [term, index]));
  /** Cache by spelling, since most words of a text were seen before. */
  const byWord = new Map<string, readonly number[]>();

  const numbersOf = (word: string): readonly number[] => {
    const seen = byWord.get(word);
    if (seen !== undefined) return seen;
    const found = termsOf(word).map((term) => {
      const number = numbers.get(term) ?? terms.push(term) - 1;
      numbers.set(term, number);
      return number;
    });
    byWord.set(word, found);
    return found;
  };
  return {
    terms,
    read(text) {
      const all: number[] = [];
      wordsOf(text, (word) => {
        const found = numbersOf(word);
        for (let at = 0; at < found.length; at++) all.push(found[at] ?? 0);
      });
      return all;
    },
    numberOf: (term) => numbers.get(term),
  };
}
