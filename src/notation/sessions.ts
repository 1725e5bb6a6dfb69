/** Names of dialogues: `PLAN_20260131T120000000Z`, and `TDD_20260131T120000000Z_C1` for a cycle (TDP-72). Pure. */

export interface SessionName {
  readonly kind: "PLAN" | "TDD";
  /** Milliseconds since the epoch. */
  readonly ms: number;
  /** From 1; null for a plan. */
  readonly cycle: number | null;
}

/** `YYYYMMDDTHHMMSSmmmZ` in UTC. */
export function stampOf(ms: number): string {
  return new Date(ms).toISOString().replaceAll(/[-:.]/gu, "");
}

export function planSession(ms: number): string {
  return `PLAN_${stampOf(ms)}`;
}

export function tddSession(ms: number, cycle: number): string {
  return `TDD_${stampOf(ms)}_C${cycle}`;
}

/** Null for a name of another kind. */
export function parseSession(name: string): SessionName | null {
  const match = /^(?:PLAN_(\d{8}T\d{9}Z)|TDD_(\d{8}T\d{9}Z)_C([1-9]\d{0,8}))$/u.exec(name);
  const stamp = match?.[1] ?? match?.[2];
  const ms = stamp === undefined ? null : msOf(stamp);
  if (ms === null) return null;
  const cycle = match?.[3];
  return cycle === undefined ? { kind: "PLAN", ms, cycle: null } : { kind: "TDD", ms, cycle: Number(cycle) };
}

function msOf(stamp: string): number | null {
  const iso = stamp.replace(/^(....)(..)(..)T(..)(..)(..)(...)Z$/u, "$1-$2-$3T$4:$5:$6.$7Z");
  const ms = Date.parse(iso);
  return !Number.isNaN(ms) && stampOf(ms) === stamp ? ms : null;
}
