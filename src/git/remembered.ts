import type { Repository } from "./repository.ts";

/**
 * What a full id names never changes, so the last few answers about ids are kept: a run asks for the same ones again and
 * again, and each question starts a process. About any other name git is asked each time.
 */
export function remembered<Answer>(
  most: number,
): (repository: Repository, ids: readonly string[], ask: () => Promise<Answer>) => Promise<Answer> {
  const answers = new Map<string, Promise<Answer>>();
  return (repository, ids, ask) => {
    if (!ids.every(isFullId)) return ask();
    const key = [repository.gitDir, ...ids].join("\n");
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
}

function isFullId(id: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(id);
}
