import type { Repository } from "./repository.ts";

/**
 * What a full id names never changes, so the last few answers about ids are kept: a run asks for the same ones again and
 * again, and each question starts a process. About any other name git is asked each time.
 */
export function remembered<Answer>(most: number): Remembered<Answer> {
  const answers = new Map<string, Promise<Answer>>();
  const keyOf = (repository: Repository, ids: readonly string[]) => [repository.gitDir, ...ids].join("\n");
  const answerTo: Remembered<Answer> = (repository, ids, ask) => {
    if (!ids.every(isFullId)) return ask();
    const key = keyOf(repository, ids);
    const known = answers.get(key);
    if (known) return known;
    const asked = ask();
    answers.set(key, asked);
    asked.catch(() => answers.delete(key));
    for (const oldest of answers.keys()) {
      if (answers.size <= most) break;
      answers.delete(oldest);
    }
    return asked;
  };
  answerTo.known = (repository, ids) => answers.get(keyOf(repository, ids)) ?? Promise.resolve(null);
  return answerTo;
}

export interface Remembered<Answer> {
  (repository: Repository, ids: readonly string[], ask: () => Promise<Answer>): Promise<Answer>;
  /** What was answered before, or is being asked; null where nothing is kept. */
  known(this: void, repository: Repository, ids: readonly string[]): Promise<Answer | null>;
}

function isFullId(id: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(id);
}
