/** Executes the proof of a record again. */
import { gateCommand } from "../evidence/gate-command.ts";
import type { EvidenceRecord } from "../evidence/record.ts";
import { proveFinal } from "../proof/final-proof.ts";
import { proveGreen } from "../proof/green-proof.ts";
import type { GateProof, ProofRequest } from "../proof/proof.ts";
import { proveRed } from "../proof/red-proof.ts";
import { shortCommit } from "../lib/short-commit.ts";

export interface ReplayedProof {
  readonly record: EvidenceRecord;
  /** The files that RED may have stubbed, in alternatives: the first with equal results counts, else the last. */
  readonly planned: readonly (readonly string[])[];
  /** Ids of tests whose faults a person accepted. */
  readonly accepted?: readonly string[];
  /** `base` is used where the record's command names none. */
  readonly common: Omit<ProofRequest, "head">;
}

export function isReplayable(purpose: string): boolean {
  return purpose in provers;
}

/** Null for a record that is not the proof of a commit. */
export async function replayProof(replayed: ReplayedProof): Promise<GateProof | null> {
  const { record, common } = replayed;
  const prove = provers[record.purpose];
  if (!prove || record.commit === null) return null;
  const base = gateCommand(record)?.base ?? common.base;
  return prove({ ...replayed, common: { ...common, base, head: record.commit } });
}

/** A record that was executed again, as people read it. */
export function replayedText({
  id,
  purpose,
  commit,
}: Pick<EvidenceRecord, "id" | "purpose" | "commit">): string {
  return `${purpose} (${id})${commit === null ? "" : ` at commit ${shortCommit(commit)}`}`;
}

/** Ids whose result differs. */
export function differing(record: EvidenceRecord, tests: GateProof["tests"]): readonly string[] {
  const before = new Map(record.tests.map(({ id, status }) => [id, status]));
  const now = new Map(tests.map(({ id, status }) => [id, status]));
  const ids = new Set([...before.keys(), ...now.keys()]);
  return [...ids].filter((id) => before.get(id) !== now.get(id));
}

interface ProverInput extends Omit<ReplayedProof, "common"> {
  readonly common: ProofRequest;
}

/** Purpose of a record -> how to make its proof again. */
const provers: Readonly<Record<string, (proving: ProverInput) => Promise<GateProof>>> = {
  red: replayRed,
  green: ({ common, record, accepted }) =>
    proveGreen({
      ...common,
      red: gateCommand(record)?.red ?? "",
      required: record.required,
      frozen: null,
      previous: null,
      oneFilePerIteration: false,
      // A refactoring may change nothing.
      mayBeEmpty: true,
      mutates: false,
      accepted,
    }),
  final: replayFinal,
  claim: replayFinal,
};

function replayFinal({ common, record }: ProverInput): Promise<GateProof> {
  return proveFinal({ ...common, approved: common.head, required: record.required });
}

async function replayRed({ common, record, planned, accepted }: ProverInput): Promise<GateProof> {
  const ask = (files: readonly string[]) =>
    proveRed({ ...common, criteria: null, plan: {}, planned: files, accepted });
  const [first = [], ...others] = planned;
  let proof = await ask(first);
  for (const files of others) {
    if (differing(record, proof.tests).length === 0) break;
    proof = await ask(files);
  }
  return proof;
}
