/** What an agent used, by its own figures, and sums of it (CORE-58). Pure. */
export interface Used {
  /** Null: not reported. */
  readonly tokens: number | null;
  readonly costUsd: number | null;
  /** Calls of an agent's program. */
  readonly turns: number;
  /** Time in which agents worked, in milliseconds; those that work at the same time add up. */
  readonly workedMs: number;
}

export const nothingUsed: Used = { tokens: null, costUsd: null, turns: 0, workedMs: 0 };

export function addUsed(one: Used, other: Used): Used {
  return {
    tokens: sum(one.tokens, other.tokens),
    costUsd: sum(one.costUsd, other.costUsd),
    turns: one.turns + other.turns,
    workedMs: one.workedMs + other.workedMs,
  };
}

function sum(total: number | null, more: number | null): number | null {
  if (more === null) return total;
  return (total ?? 0) + more;
}
