/** Counts events of runs: what happened in all of them, and of each open run what is needed to go on counting. Pure. */
import type { CountedEvent } from "../journal/postgres/figures.ts";

/** Labels as JSON -> count. They only grow. */
export interface Totals {
  readonly verdicts: Map<string, number>;
  readonly ended: Map<string, number>;
  readonly tokens: Map<string, number>;
  readonly costUsd: Map<string, number>;
  failovers: number;
}

export function noTotals(): Totals {
  return { verdicts: new Map(), ended: new Map(), tokens: new Map(), costUsd: new Map(), failovers: 0 };
}

/** Of a run that may go on. */
export interface OpenRun {
  /** Keys of the questions that wait for a person. */
  readonly asks: Set<string>;
  /** Key of a dispatch -> provider of its agent. */
  readonly providers: Map<string, string>;
}

export function newRun(): OpenRun {
  return { asks: new Set(), providers: new Map() };
}

export function countEvent(totals: Totals, run: OpenRun, event: CountedEvent): void {
  const { type, key, name, verdict, tokens, costUsd } = event;
  switch (type) {
    case "command.issued":
      if (key === null) return;
      if (name === "ask") run.asks.add(key);
      else run.asks.delete(key);
      return;
    case "result":
      if (key !== null) run.asks.delete(key);
      return;
    case "base.proved":
      if (verdict === "true") run.asks.add(base);
      return;
    case "base.accepted":
      run.asks.delete(base);
      return;
    case "run.ended":
      run.asks.clear();
      return add(totals.ended, { outcome: name ?? unknown }, 1);
    case "worker.died":
      totals.failovers += 1;
      return;
    case "dispatch.started":
      if (key !== null) run.providers.set(key, name ?? unknown);
      return;
    case "agent.used": {
      const provider = run.providers.get(key ?? "") ?? unknown;
      add(totals.tokens, { provider }, tokens ?? 0);
      return add(totals.costUsd, { provider }, costUsd ?? 0);
    }
    case "gate.judged":
      return add(totals.verdicts, { kind: name ?? unknown, verdict: verdict ?? unknown }, 1);
    case "review.given":
      return add(totals.verdicts, { kind: "review", verdict: verdict ?? unknown }, 1);
    default:
      return;
  }
}

const base = "base";
const unknown = "unknown";

function add(counts: Map<string, number>, labels: Readonly<Record<string, string>>, more: number): void {
  const name = JSON.stringify(labels);
  counts.set(name, (counts.get(name) ?? 0) + more);
}
