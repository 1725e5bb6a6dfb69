/** Drafts of proofs become sealed records: numbered, chained to the run's last one, signed, stored by address. */
import { canonicalJson } from "../lib/hash.ts";
import { seal } from "../evidence/chain.ts";
import type { EvidenceRecord } from "../evidence/record.ts";
import type { EventOf } from "../kernel/run-event.ts";
import type { RunView } from "../views/run-view.ts";
import type { RecordDraft } from "./proof/draft.ts";
import type { SessionPorts } from "./session.ts";

interface Sealing {
  readonly drafts: readonly RecordDraft[];
  /** Whose chain goes on; a plan has one that is no run. */
  readonly view: {
    readonly run: string;
    readonly records: readonly { readonly envelope: string }[];
    readonly commands: RunView["commands"];
  };
  readonly key: string;
  readonly ports: Pick<SessionPorts, "payloads" | "key">;
}

export interface SealedRecord {
  readonly record: EvidenceRecord;
  readonly event: EventOf<"record.written">;
}

/** Seals them, the summarising one last; a draft names records inside it by `innerDrafts`, indices of earlier drafts of the same call. */
export async function sealDrafts({ drafts, view, key, ports }: Sealing): Promise<readonly SealedRecord[]> {
  const sealed: SealedRecord[] = [];
  let previous = view.records.at(-1)?.envelope ?? null;
  for (const draft of ownFirst(drafts)) {
    const { innerDrafts, ...rest } = draft;
    const record: EvidenceRecord = {
      ...rest,
      id: `${view.run}/${view.records.length + sealed.length + 1}`,
      run: view.run,
      key,
      phase: view.commands[key]?.command.phase ?? null,
      inner: innerDrafts.map((index) => sealed[index]?.record.id ?? "").filter((id) => id !== ""),
      previous,
    };
    const ref = await ports.payloads.put(canonicalJson(record));
    const envelope = await ports.payloads.put(canonicalJson(seal(record, ports.key).envelope));
    previous = envelope;
    sealed.push({ record, event: writtenEvent(record, ref, envelope) });
  }
  return sealed;
}

/** Runs of the base stand behind the others: the first record of a proof is about its commit (dispatch/commit.ts). */
function ownFirst(drafts: readonly RecordDraft[]): readonly RecordDraft[] {
  const isBase = (index: number): boolean => drafts[index]?.purpose.startsWith("baseline") === true;
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
