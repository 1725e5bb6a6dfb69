/** Full text search in the documentation of one checkout: offline, and always on the current files. */
import { join } from "node:path";
import { openCache } from "./cache.ts";
import { descriptionOf, relevantFilesOf, tokensIn } from "./describe.ts";
import { rank } from "./rank.ts";
import { refresh, type Documents, type SearchScope, type SkippedFile } from "./refresh.ts";
import { readPlainFile } from "../lib/plain-file.ts";

export interface SearchResults {
  readonly results: readonly KnowledgeResult[];
  readonly documents: number;
  readonly skipped: readonly SkippedFile[];
}

export interface KnowledgeResult {
  readonly path: string;
  readonly similarity: number;
  readonly tokens: number;
  readonly description: string;
  readonly relevantFiles: readonly string[];
  /** The whole text, for the best results within the token limit; else null. */
  readonly text: string | null;
}

const maxResults = 10;
const maxTextTokens = 5_000;

/** @param cacheFile the file of the cache; null for none */
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

async function best(root: string, documents: Documents, phrase: string): Promise<readonly KnowledgeResult[]> {
  const results: KnowledgeResult[] = [];
  let tokensLeft = maxTextTokens;
  for (const { path, similarity } of rank(documents, phrase).slice(0, maxResults)) {
    const text = await readPlainFile(join(root, path)); // null: deleted meanwhile
    if (text === null) continue;
    const tokens = tokensIn(text);
    const fits = tokens <= tokensLeft;
    if (fits) tokensLeft -= tokens;
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
