/**
 * The evidence chain of a run: signs records and verifies the whole chain. `run/records.ts` puts the hash of its predecessor
 * into each record. Reads neither files nor git.
 */
import type { KeyObject } from "node:crypto";
import { canonicalJson, sha256 } from "../lib/hash.ts";
import { refuseNewer } from "../lib/refuse-newer.ts";
import { type ChainFacts, rules } from "./chain-rules.ts";
import { keyId, type SigningKey } from "./keys.ts";
import { EvidenceRecord } from "./record.ts";
import { SignedEnvelope, readEnvelope, signEnvelope } from "./sign.ts";

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
  | { readonly type: "record"; readonly record: EvidenceRecord; readonly hash: string }
  | { readonly type: "broken"; readonly code: "unreadable" | "signature"; readonly why: string };

/** Opens an envelope read from storage: any JSON value. */
export function openEnvelope(value: unknown, publicKey: KeyObject): OpenResult {
  const envelope = SignedEnvelope.safeParse(value);
  if (!envelope.success || envelope.data.payloadType !== evidenceType) {
    return { type: "broken", code: "unreadable", why: "it is not an evidence envelope" };
  }
  const payload = readEnvelope(envelope.data, publicKey);
  if (payload === null) {
    const isOwn = envelope.data.signatures.some(({ keyid }) => keyid === keyId(publicKey));
    const why = isOwn
      ? "its signature is not valid for the run's key"
      : "it was signed with a key other than the current one";
    return { type: "broken", code: "signature", why };
  }
  const signed: unknown = JSON.parse(payload);
  refuseNewer(signed, { what: "an evidence record", known: 1 });
  const record = EvidenceRecord.safeParse(signed);
  if (!record.success)
    return { type: "broken", code: "unreadable", why: "its payload is not an evidence record" };
  return { type: "record", record: record.data, hash: envelopeHash(envelope.data) };
}

export type ChainResult =
  | { readonly type: "whole"; readonly records: readonly EvidenceRecord[] }
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
  publicKey: KeyObject,
  facts: ChainFacts,
): ChainResult {
  const records: EvidenceRecord[] = [];
  const hashes: string[] = [];
  for (const [index, value] of envelopes.entries()) {
    const opened = openEnvelope(value, publicKey);
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
    const { record, hash } = opened;
    for (const [code, rule] of Object.entries(rules.each)) {
      const why = rule({ record, hash, index, before: records, previous: hashes.at(-1) ?? null, facts });
      if (why !== null)
        return { type: "broken", place: index + 1, record: record.id, phase: record.phase, code, why };
    }
    records.push(record);
    hashes.push(hash);
  }
  for (const [code, rule] of Object.entries(rules.whole)) {
    const broken = rule(records, facts);
    if (broken !== null) return { type: "broken", code, ...broken };
  }
  return { type: "whole", records };
}
