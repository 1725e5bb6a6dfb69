/**
 * How a merge changes the public interface: the exported symbols and signatures before and after, and the resulting impact
 * level. An agent may raise the level, never lower it (V3-40).
 */
import type { ChangeEntry, ImpactLevel } from "../../protocol/graph-types/shared.ts";
import { exportedSymbols } from "../../source/exported-symbols.ts";
import type { Parse } from "../../source/syntax.ts";

/** path -> text. */
type Texts = ReadonlyMap<string, string>;

export interface InterfaceDifference {
  readonly changes: readonly ChangeEntry[];
  /** Changed files that could not be analysed. */
  readonly unread: readonly string[];
}

/**
 * @param before text of the changed source files before
 * @param after text of the same files after
 */
export function interfaceDifference(before: Texts, after: Texts, parse: Parse): InterfaceDifference {
  const changes: ChangeEntry[] = [];
  const unread: string[] = [];
  for (const path of [...new Set([...before.keys(), ...after.keys()])].toSorted()) {
    const [was, now] = [before, after].map((texts) => {
      const text = texts.get(path);
      return text === undefined ? new Map<string, never>() : exportedSymbols(path, text, parse);
    });
    if (!was || !now) {
      unread.push(path);
      continue;
    }
    for (const [symbol, { signature, display }] of was) {
      const other = now.get(symbol);
      if (other === undefined)
        changes.push({ symbol, changeType: "RemovedExport", reason: `${path} no longer has ${display}` });
      else if (other.signature !== signature)
        changes.push({
          symbol,
          changeType: "SignatureChange",
          reason: `${path}: ${display} is ${other.display} now`,
        });
    }
    for (const [symbol, { display }] of now)
      if (!was.has(symbol))
        changes.push({ symbol, changeType: "NewExport", reason: `${path} has ${display}` });
  }
  return { changes, unread };
}

export interface ExportChange {
  /** `src/cart.js::total`. */
  readonly id: string;
  readonly path: string;
  /** A sentence. */
  readonly reason: string;
}

/** Changed, new and removed exports; new files change nothing for existing callers. */
export function exportChanges(before: Texts, after: Texts, parse: Parse): readonly ExportChange[] {
  return [...before].flatMap(([path, text]) => {
    const now = after.get(path);
    const one = interfaceDifference(
      new Map([[path, text]]),
      new Map(now === undefined ? [] : [[path, now]]),
      parse,
    );
    return one.changes.map(({ symbol, reason }) => ({ id: `${path}::${symbol}`, path, reason }));
  });
}

export interface Impact {
  readonly impactLevel: ImpactLevel;
  readonly changes: readonly ChangeEntry[];
}

const levels = ["Trivial", "Additive", "Breaking"] as const;

export function levelOf(changes: readonly ChangeEntry[]): ImpactLevel {
  const types = new Set(changes.map(({ changeType }) => changeType));
  if (types.has("RemovedExport") || types.has("SignatureChange")) return "Breaking";
  return types.has("NewExport") ? "Additive" : "Trivial";
}

/**
 * Combines the measured changes with the agent's entries: its reasons for known changes, and behavioural changes, which only
 * it can report.
 */
export function impactOf(reported: Impact, { changes: facts, unread }: InterfaceDifference): Impact {
  const same = (a: ChangeEntry) => (b: ChangeEntry) => a.symbol === b.symbol && a.changeType === b.changeType;
  const known = facts.map((fact) => reported.changes.find(same(fact)) ?? fact);
  const own = reported.changes.filter(
    (entry) => !facts.some(same(entry)) && (entry.changeType === "BehaviorChange" || unread.length > 0),
  );
  const level = Math.max(levels.indexOf(reported.impactLevel), levels.indexOf(levelOf([...known, ...own])));
  return { impactLevel: levels[level] ?? "Breaking", changes: [...known, ...own] };
}
