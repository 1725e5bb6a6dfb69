/** What bundles of runs and of gates are made of (PRV-14). */
import type { ProofControls } from "../config/controls-schema.ts";
import type { Settings } from "../config/settings.ts";
import type { Statement } from "../evidence/bundle/statement.ts";
import { parseRecord, type EvidenceRecord } from "../evidence/record.ts";
import { treeOf } from "../git/objects/tree.ts";
import type { Repository } from "../git/repository.ts";
import type { Payloads } from "../journal/payloads.ts";

export async function commitWithTree(repository: Repository, commit: string): Promise<Statement["base"]> {
  return { commit, tree: await treeOf(repository, commit) };
}

export function statedSettings(settings: Settings): Statement["settings"] {
  const { paths, tests, runner, packages } = settings;
  const named = { tests: tests ?? null, runner: runner ?? null, packages: packages ?? null };
  return { paths, ...named, proof: decisiveControls(settings) };
}

/** The settings of the controls without the time for mutants, which decides nothing. */
export function decisiveControls({ proof }: Pick<Settings, "proof">): Omit<ProofControls, "mutation"> {
  const { mutation: _mutation, ...decisive } = proof ?? {};
  return decisive;
}

export interface StoredEvidence {
  readonly records: readonly EvidenceRecord[];
  readonly envelopes: readonly unknown[];
  /** Address -> the full output of a record. */
  readonly outputs: ReadonlyMap<string, string>;
}

/** @param written the addresses of each record and its envelope, in the order of the chain */
export async function storedEvidence(
  payloads: Payloads,
  written: readonly { readonly ref: string; readonly envelope: string }[],
): Promise<StoredEvidence> {
  const records: EvidenceRecord[] = [];
  const envelopes: unknown[] = [];
  const outputs = new Map<string, string>();
  for (const { ref, envelope } of written) {
    const record = parseRecord(JSON.parse(await payloads.text(ref)));
    records.push(record);
    envelopes.push(JSON.parse(await payloads.text(envelope)));
    outputs.set(record.output, await payloads.text(record.output));
  }
  return { records, envelopes, outputs };
}
