/** Full text search over the documentation of one checkout: offline, and always on the files as they are now. */
import { join } from "node:path";
import { openCache } from "./cache.ts";
import { descriptionOf, relevantFilesOf, tokensIn } from "./describe.ts";
import { rank } from "./rank.ts";
import { refresh, type Documents, type SearchScope, type SkippedFile } from "./refresh.ts";
import { readPlainFile } from "../lib/plain-file.ts";

export interface SearchResults {
  readonly results: readonly Result[];
  readonly documents: number;
  readonly skipped: readonly SkippedFile[];
}

export interface Result {
  readonly path: string;
  readonly similarity: number;
  readonly tokens: number;
  readonly description: string;
  readonly relevantFiles: readonly string[];
  /** Only of the best, as long as there is room. */
  readonly text: string | null;
}

const maxResults = 10;
const maxTextTokens = 5_000;

/** @param cacheFile where the index is kept; null keeps none */
export async function search(
  folder: SearchScope,
  phrase: string,
  cacheFile: string | null,
): Promise<SearchResults> {
  const cache = await openCache(cacheFile);
  try {
    const documents = await refresh(folder, cache);
    return {
      results: await best(folder.root, documents, phrase),
      documents: documents.files.length,
      skipped: documents.skipped,
    };
  } finally {
    cache.close();
  }
}

async function best(root: string, documents: Documents, phrase: string): Promise<readonly Result[]> {
  const results: Result[] = [];
  let room = maxTextTokens;
  for (const { path, similarity } of rank(documents, phrase).slice(0, maxResults)) {
    const text = await readPlainFile(join(root, path)); // deleted since it was looked at
    if (text === null) continue;
    const tokens = tokensIn(text);
    const fits = tokens <= room;
    if (fits) room -= tokens;
    results.push({
      path,
      similarity: Math.round(similarity * 1000) / 1000,
      tokens,
      description: descriptionOf(text),
      relevantFiles: await relevantFilesOf(text, root),
      text: fits ? text : null,
    });
  }
  return results;
}
