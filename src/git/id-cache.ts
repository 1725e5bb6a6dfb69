import type { Repository } from "./repository.ts";

/**
 * Caches the last answers about full ids, which never change: a run repeats the same requests, and each starts a process.
 * Requests with other names are not cached.
 */
export function idCache<Answer>(maxEntries: number): IdCache<Answer> {
  const answers = new Map<string, Promise<Answer>>();
  const keyOf = (repository: Repository, ids: readonly string[]) => [repository.gitDir, ...ids].join("\n");
  const answerTo: IdCache<Answer> = (repository, ids, ask) => {
    if (!ids.every(isFullId)) return ask();
    const key = keyOf(repository, ids);
    const cached = answers.get(key);
    if (cached) return cached;
    const answer = ask();
    answers.set(key, answer);
    answer.catch(() => answers.delete(key));
    for (const oldest of answers.keys()) {
      if (answers.size <= maxEntries) break;
      answers.delete(oldest);
    }
    return answer;
  };
  answerTo.known = (repository, ids) => answers.get(keyOf(repository, ids)) ?? Promise.resolve(null);
  return answerTo;
}

export interface IdCache<Answer> {
  (repository: Repository, ids: readonly string[], ask: () => Promise<Answer>): Promise<Answer>;
  /** The cached or pending answer; null if there is none. */
  known(this: void, repository: Repository, ids: readonly string[]): Promise<Answer | null>;
}

function isFullId(id: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(id);
}
