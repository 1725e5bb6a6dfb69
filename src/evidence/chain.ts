/**
 * The evidence chain of a run: signs records and verifies the whole chain. `run/records.ts` puts the hash of its predecessor
 * into each record. Reads neither files nor git.
 */
import { canonicalJson, sha256 } from "../lib/hash.ts";
import { refuseNewer } from "../lib/refuse-newer.ts";
import { type ChainFacts, rules } from "./chain-rules.ts";
import type { SigningKey } from "./keys.ts";
import { EvidenceRecord } from "./record.ts";
import { SignedEnvelope, readEnvelope, signEnvelope } from "./sign.ts";
import type { Signer, TrustedKeys } from "./trusted-keys.ts";

export type { ChainFacts } from "./chain-rules.ts";

export const evidenceType = "application/vnd.mettle.evidence.v1+json";

export interface SealedRecord {
  readonly envelope: SignedEnvelope;
  /** `sha256:…` of the envelope's canonical JSON: its address, and the `previous` of the next record. */
  readonly hash: string;
}

/** Signs a record that already names its predecessor. */
export function seal(record: EvidenceRecord, key: SigningKey): SealedRecord {
  const envelope = signEnvelope(evidenceType, canonicalJson(record), key);
  return { envelope, hash: envelopeHash(envelope) };
}

export function envelopeHash(envelope: SignedEnvelope): string {
  return sha256(canonicalJson(envelope));
}

export type OpenResult =
  | {
      readonly type: "record";
      readonly record: EvidenceRecord;
      readonly hash: string;
      readonly signer: Signer;
    }
  | { readonly type: "broken"; readonly code: "unreadable" | "signature"; readonly why: string };

/** Opens an envelope read from storage: any JSON value. */
export function openEnvelope(value: unknown, keys: TrustedKeys): OpenResult {
  const envelope = SignedEnvelope.safeParse(value);
  if (!envelope.success || envelope.data.payloadType !== evidenceType) {
    return { type: "broken", code: "unreadable", why: "it is not an evidence envelope" };
  }
  const read = readSigned(envelope.data, keys);
  if (read.type === "broken") return { type: "broken", code: "signature", why: read.why };
  const signed: unknown = JSON.parse(read.payload);
  refuseNewer(signed, { what: "an evidence record", known: 1 });
  const record = EvidenceRecord.safeParse(signed);
  if (!record.success)
    return { type: "broken", code: "unreadable", why: "its payload is not an evidence record" };
  return { type: "record", record: record.data, hash: envelopeHash(envelope.data), signer: read.signer };
}

type ReadResult =
  | { readonly type: "signed"; readonly payload: string; readonly signer: Signer }
  | { readonly type: "broken"; readonly why: string };

/** One valid signature of a key that counts is enough. */
function readSigned(envelope: SignedEnvelope, keys: TrustedKeys): ReadResult {
  let why: string | null = null;
  for (const id of new Set(envelope.signatures.map(({ keyid }) => keyid))) {
    const found = keys.find(id);
    if (found.type !== "trusted") {
      why ??= found.why;
      continue;
    }
    const payload = readEnvelope(envelope, found.publicKey);
    if (payload !== null) return { type: "signed", payload, signer: found.signer };
    const { worker } = found.signer;
    why = `its signature is not valid for the ${worker === null ? "run's key" : `key of ${worker}`}`;
  }
  return { type: "broken", why: why ?? "it has no signature" };
}

export type ChainResult =
  | {
      readonly type: "whole";
      readonly records: readonly EvidenceRecord[];
      /** Who signed each of them. */
      readonly signers: readonly Signer[];
    }
  | {
      readonly type: "broken";
      /** Position in the chain, from 1. */
      readonly place: number;
      /** Id of the record, where it can be read. */
      readonly record: string | null;
      readonly phase: string | null;
      readonly code: string;
      readonly why: string;
    };

/**
 * Returns the first broken record of a run with the reason, or the whole chain. Facts from outside the envelopes come from
 * the journal. The caller, who can read git, checks that the commits exist and that frozen files are unchanged.
 */
export function verifyChain(
  envelopes: readonly unknown[],
  keys: TrustedKeys,
  facts: ChainFacts,
): ChainResult {
  const records: EvidenceRecord[] = [];
  const hashes: string[] = [];
  const signers: Signer[] = [];
  for (const [index, value] of envelopes.entries()) {
    const opened = openEnvelope(value, keys);
    if (opened.type === "broken") {
      const written = facts.written[index];
      const { code, why } = opened;
      return {
        type: "broken",
        place: index + 1,
        record: written?.id ?? null,
        phase: written?.phase ?? null,
        code,
        why,
      };
    }
    const { record, hash, signer } = opened;
    for (const [code, rule] of Object.entries(rules.each)) {
      const why = rule({ record, hash, index, before: records, previous: hashes.at(-1) ?? null, facts });
      if (why !== null)
        return { type: "broken", place: index + 1, record: record.id, phase: record.phase, code, why };
    }
    records.push(record);
    hashes.push(hash);
    signers.push(signer);
  }
  for (const [code, rule] of Object.entries(rules.whole)) {
    const broken = rule(records, facts);
    if (broken !== null) return { type: "broken", code, ...broken };
  }
  return { type: "whole", records, signers };
}
