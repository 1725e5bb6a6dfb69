/** Splits a text into searchable terms: stems, including the parts of identifiers, without stop words. */
import { stem } from "./stem.ts";

export function wordsOf(text: string, take: (word: string) => void): void {
  // A loop, because a regular expression creates an object per word, which takes longer than everything else.
  let start = -1;
  let isPlain = true;
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : 0;
    if (code > 127 || (code > 47 && code < 58) || (code > 64 && code < 91) || (code > 96 && code < 123)) {
      if (start < 0) start = at;
      if (code > 127) isPlain = false;
      continue;
    }
    if (start < 0) continue;
    const word = text.slice(start, at);
    if (isPlain) take(word);
    else for (const part of word.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []) take(part);
    start = -1;
    isPlain = true;
  }
}

/** The terms of one word: `getUserById` gives itself and get, user, id; a stop word gives none. */
export function termsOf(word: string): readonly string[] {
  if (word.length > maxWordLength) return [];
  if (unspaced.test(word)) return pairs(word);
  const parts = /[a-z][A-Z]|[A-Z]{2}[a-z]/.test(word) ? word.split(seams) : [];
  return [...new Set([word, ...parts].map(term).filter((one) => one !== ""))];
}

const maxWordLength = 100;
const seams = /(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/;
/** Scripts that put no spaces between words. */
const unspaced = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{2,}$/u;

function pairs(word: string): readonly string[] {
  const letters = [...word];
  return [...new Set(letters.slice(1).map((letter, index) => `${letters[index] ?? ""}${letter}`))];
}

function term(word: string): string {
  const plain = /^[A-Za-z0-9]+$/.test(word)
    ? word.toLowerCase()
    : word
        .normalize("NFKD")
        .replace(/[^\p{L}\p{N}]/gu, "")
        .toLowerCase();
  return plain.length < 2 || stopWords.has(plain) ? "" : stem(plain);
}

const stopWords = new Set(
  `a about after also am an and another any are as at be because been before being both but by came can cannot could did do
  does doing done e each etc even ever every example for from further g get gets getting give given gives goes going got had
  has have having he her here hers herself him himself his how however i ie if in instance instead into is it its itself just
  let lets like made make makes making many may me might mine more most much must my myself near need needs neither no nor not
  now of often on once one only or other others our ours ourselves out over own per perhaps rather s same shall she should since
  so some still such t than that the their theirs them themselves then there these they thing things this those though through
  thus to too under until up upon us use used useful uses using usually very via want wants was way ways we were what whatever
  when whenever where whether which while who whom whose why will with within without would yes yet you your yours yourself`
    .split(/\s+/)
    .filter((word) => word !== ""),
);
