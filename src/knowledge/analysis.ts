/** Analyses a file for the index: the length of each section and the weight of each term in it. */
import { basename, dirname } from "node:path";
import { readPage } from "./markdown.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** For each section: its length, its number of terms, and its terms with the weight in the low byte. */
export type Analysis = Uint32Array;

/** Weights in halves, so that they are integers. */
const weights = { title: 8, about: 6, heading: 4, folder: 1, text: 2 };
const maxWeight = 255;

export function analyse(text: string, path: string, vocabulary: Vocabulary): Analysis {
  const { title, about, sections } = readPage(text);
  const name = basename(path).replace(/\.\w+$/, "");
  const titles = vocabulary.read(`${title} ${name}`);
  const abouts = vocabulary.read(about);
  const folders = vocabulary.read(dirname(path).split("/").slice(-2).join(" "));
  const numbers: number[] = [];
  for (const section of sections) {
    const headings = vocabulary.read(section.headings);
    const body = vocabulary.read(section.text);
    const sums = new Map<number, number>();
    count(titles, weights.title, sums);
    count(abouts, weights.about, sums);
    count(folders, weights.folder, sums);
    count(headings, weights.heading, sums);
    count(body, weights.text, sums);
    numbers.push(headings.length + body.length, sums.size);
    for (const [term, weight] of sums) numbers.push(term * 256 + Math.min(weight, maxWeight));
  }
  return Uint32Array.from(numbers);
}

function count(terms: readonly number[], weight: number, sums: Map<number, number>): void {
  for (const term of terms) sums.set(term, (sums.get(term) ?? 0) + weight);
}

export const termOf = (packed: number): number => packed >>> 8;
/** The weight of a term as a number of occurrences in plain text. */
export const weightOf = (packed: number): number => (packed & 255) / weights.text;
