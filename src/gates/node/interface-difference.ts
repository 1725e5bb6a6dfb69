/**
 * What a merge changes for those who use it: the exported symbols and signatures before and after, and the level that
 * follows. An agent may call it worse, never better (V3-40).
 */
import type { ChangeEntry, ImpactLevel } from "../../protocol/graph-types/shared.ts";
import { exportedSymbols } from "../../source/exported-symbols.ts";
import type { Parse } from "../../source/syntax.ts";

/** path -> text. */
type Texts = ReadonlyMap<string, string>;

export interface InterfaceDifference {
  readonly changes: readonly ChangeEntry[];
  /** Changed files of which nothing can be said. */
  readonly unread: readonly string[];
}

/** @param before the changed source files as they were @param after as they are */
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
    for (const [symbol, { signature, told }] of was) {
      const other = now.get(symbol);
      if (other === undefined)
        changes.push({ symbol, changeType: "RemovedExport", reason: `${path} no longer has ${told}` });
      else if (other.signature !== signature)
        changes.push({
          symbol,
          changeType: "SignatureChange",
          reason: `${path}: ${told} is ${other.told} now`,
        });
    }
    for (const [symbol, { told }] of now)
      if (!was.has(symbol)) changes.push({ symbol, changeType: "NewExport", reason: `${path} has ${told}` });
  }
  return { changes, unread };
}

/** What differs in files that are on both sides, or are gone; new files change nothing for anybody. */
export function interfaceChanges(before: Texts, after: Texts, parse: Parse): readonly string[] {
  const known = new Map([...after].filter(([path]) => before.has(path)));
  return interfaceDifference(before, known, parse).changes.map(({ reason }) => reason);
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

/** The facts, in the agent's words where it named them; how a thing behaves is the agent's word alone. */
export function impactOf(said: Impact, { changes: facts, unread }: InterfaceDifference): Impact {
  const same = (a: ChangeEntry) => (b: ChangeEntry) => a.symbol === b.symbol && a.changeType === b.changeType;
  const known = facts.map((fact) => said.changes.find(same(fact)) ?? fact);
  const own = said.changes.filter(
    (entry) => !facts.some(same(entry)) && (entry.changeType === "BehaviorChange" || unread.length > 0),
  );
  const level = Math.max(levels.indexOf(said.impactLevel), levels.indexOf(levelOf([...known, ...own])));
  return { impactLevel: levels[level] ?? "Breaking", changes: [...known, ...own] };
}
