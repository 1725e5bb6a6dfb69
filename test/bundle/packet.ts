/** Changes a real bundle in one place and seals it again, as its machine or somebody else could. */
import { createPublicKey, generateKeyPairSync } from "node:crypto";
import { readBundle, readStatement, writeBundle } from "../../src/evidence/bundle/bundle.ts";
import { listed, type Statement } from "../../src/evidence/bundle/statement.ts";
import { seal } from "../../src/evidence/chain.ts";
import { keyId, type SigningKey } from "../../src/evidence/keys.ts";
import { parseRecord, type EvidenceRecord } from "../../src/evidence/record.ts";
import { canonicalJson, sha256 } from "../../src/lib/hash.ts";

/** What a bundle contains, to be changed in place. */
export interface Contents {
  statement: Statement;
  records: EvidenceRecord[];
  payloads: Map<string, string>;
}

/** The JSON of a bundle file. */
export interface BundleFile {
  type: string;
  version: number;
  key: string;
  statement: Envelope;
  envelopes: Envelope[];
  payloads: Record<string, string>;
}

interface Envelope {
  payloadType: string;
  payload: string;
  signatures: { keyid: string; sig: string }[];
}

export function newKey(): SigningKey {
  const { privateKey } = generateKeyPairSync("ed25519");
  const publicKey = createPublicKey(privateKey);
  return { id: keyId(publicKey), privateKey, publicKey };
}

export function contentsOf(text: string): Contents {
  const bundle = readBundle(text, "the bundle");
  const statement = readStatement(bundle);
  if (statement === null) throw new Error("the statement is not signed");
  const records = (bundle.envelopes as readonly Envelope[]).map(({ payload }) =>
    parseRecord(JSON.parse(Buffer.from(payload, "base64").toString("utf8"))),
  );
  return { statement, records, payloads: new Map(Object.entries(bundle.payloads)) };
}

/** Chains, signs and lists the records again. */
export function sealed({ statement, records, payloads }: Contents, key: SigningKey): string {
  let previous: string | null = null;
  const envelopes: unknown[] = [];
  const written: Statement["records"] = [];
  for (const record of records) {
    const { envelope, hash } = seal({ ...record, previous }, key);
    envelopes.push(envelope);
    written.push(listed({ ...record, envelope: hash }));
    previous = hash;
  }
  return writeBundle({ statement: { ...statement, records: written }, envelopes, payloads }, key);
}

/** A bundle text with changes that nobody signed. */
export function edited(text: string, edit: (file: BundleFile) => void): string {
  const file = JSON.parse(text) as BundleFile;
  edit(file);
  return `${canonicalJson(file)}\n`;
}

/** Numbers the records again after some were removed or moved. Ids of records that are gone leave `inner`. */
export function renumber({ records, statement }: Contents): void {
  const ids = new Map(records.map(({ id }, index) => [id, `${statement.run}/${index + 1}`]));
  for (const record of records) {
    record.inner = record.inner.flatMap((id) => ids.get(id) ?? []);
    record.id = ids.get(record.id) ?? record.id;
  }
}

/** Replaces the output of a record, with its last lines or with other ones. */
export function putOutput(
  { payloads }: Contents,
  record: EvidenceRecord,
  output: string,
  lines: readonly string[] = output.replace(/\n$/u, "").split("\n").slice(-40),
): void {
  record.output = sha256(output);
  record.lastLines = [...lines];
  payloads.set(record.output, output);
}
