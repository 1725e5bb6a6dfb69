/** Seals drafts of proofs as records: numbered, chained to the run's last one, signed, stored by address. */
import { isRunOfBase } from "../evidence/judged-runs.ts";
import { canonicalJson } from "../lib/hash.ts";
import { seal } from "../evidence/chain.ts";
import type { EvidenceRecord } from "../evidence/record.ts";
import { freeIds } from "../evidence/record-numbers.ts";
import type { EventOf } from "../log/run-event.ts";
import type { RunView } from "../log/run-view.ts";
import type { KeyLoader } from "../evidence/keys.ts";
import type { Payloads } from "../journal/payloads.ts";
import type { RecordDraft } from "../proof/draft.ts";

interface SealOptions {
  readonly drafts: readonly RecordDraft[];
  /** The chain to extend: a run's, or a plan's. */
  readonly view: Omit<RecordNumbers, "records"> & {
    readonly records: readonly { readonly id: string; readonly envelope: string }[];
    readonly commands: RunView["commands"];
  };
  readonly key: string;
  readonly ports: { readonly payloads: Payloads; readonly key: KeyLoader };
}

/** The used and reserved ids of a chain. */
export interface RecordNumbers {
  readonly run: string;
  readonly records: readonly { readonly id: string }[];
  readonly reserved?: RunView["reserved"];
  readonly commits?: readonly Pick<EventOf<"commit.made">, "key" | "commit">[];
}

export interface JournaledRecord {
  readonly record: EvidenceRecord;
  readonly event: EventOf<"record.written">;
}

/** Seals drafts in their order; the last one is the record of the whole gate. `innerDrafts` of a draft are indices of earlier drafts of the same call. */
export async function sealDrafts({
  drafts,
  view,
  key,
  ports,
}: SealOptions): Promise<readonly JournaledRecord[]> {
  if (drafts.length === 0) return [];
  const signing = await ports.key();
  const sealed: JournaledRecord[] = [];
  let previous = view.records.at(-1)?.envelope ?? null;
  for (const { id, draft } of assignIds(view, key, drafts)) {
    const { innerDrafts, ...rest } = draft;
    const record: EvidenceRecord = {
      ...rest,
      id,
      run: view.run,
      key,
      phase: view.commands[key]?.command.phase ?? null,
      inner: innerDrafts.map((index) => sealed[index]?.record.id ?? "").filter((id) => id !== ""),
      previous,
    };
    const ref = await ports.payloads.put(canonicalJson(record));
    const envelope = await ports.payloads.put(canonicalJson(seal(record, signing).envelope));
    previous = envelope;
    sealed.push({ record, event: writtenEvent(record, ref, envelope) });
  }
  return sealed;
}

/** The id of the next record without a reserved id. */
export function nextId({ run, records, reserved = {} }: RecordNumbers): string {
  return freeIds(run, [...records.map(({ id }) => id), ...Object.values(reserved)])();
}

/**
 * Orders drafts for sealing and assigns their ids. The first draft about a commit gets the id reserved in the commit's
 * message. A command that makes and proves a commit itself proves it with its first draft.
 */
export function assignIds(
  { run, records, reserved = {}, commits = [] }: RecordNumbers,
  key: string,
  drafts: readonly RecordDraft[],
): readonly { readonly id: string; readonly draft: RecordDraft }[] {
  const given = new Set(records.map(({ id }) => id));
  const free = freeIds(run, [...given, ...Object.values(reserved)]);
  const waiting = (of: string | undefined): string | undefined => {
    const id = of === undefined ? undefined : reserved[of];
    return id === undefined || given.has(id) ? undefined : id;
  };
  return baseRunsLast(drafts).map((draft, index) => {
    const makers = commits.filter(({ commit }) => commit === draft.commit).map((made) => made.key);
    const own = index === 0 ? [...makers, key] : makers;
    const id = own.map(waiting).find((one) => one !== undefined) ?? free();
    given.add(id);
    return { id, draft };
  });
}

/** Sorts runs of the base after the others, so that the first record of a proof is about its commit. */
function baseRunsLast(drafts: readonly RecordDraft[]): readonly RecordDraft[] {
  const isBase = (index: number): boolean => isRunOfBase(drafts[index]?.purpose ?? "");
  const inside = [...drafts.keys()].slice(0, -1);
  const order = [
    ...inside.filter((index) => !isBase(index)),
    ...inside.filter(isBase),
    ...[...drafts.keys()].slice(-1),
  ];
  return order.flatMap((index) => {
    const draft = drafts[index];
    return draft ? [{ ...draft, innerDrafts: draft.innerDrafts.map((inner) => order.indexOf(inner)) }] : [];
  });
}

function writtenEvent(record: EvidenceRecord, ref: string, envelope: string): EventOf<"record.written"> {
  const { id, key, phase, purpose, verdict, exitCode, commit, tree } = record;
  const failing = record.tests.filter((test) => test.status === "failed").map((test) => test.id);
  return {
    type: "record.written",
    id,
    key,
    phase,
    purpose,
    ref,
    envelope,
    verdict,
    exitCode,
    commit,
    tree,
    failing,
  };
}
