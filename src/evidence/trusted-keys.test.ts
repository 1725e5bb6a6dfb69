import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import { verifies } from "../../test/verifies.ts";
import { openEnvelope, seal, verifyChain } from "./chain.ts";
import { sampleRecord } from "./fixtures/record.ts";
import { keyId, type SigningKey } from "./keys.ts";
import { registeredKeys, signedRecords } from "./trusted-keys.ts";

function newKey(): SigningKey {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  return { id: keyId(publicKey), privateKey, publicKey };
}

const [one, two, stranger] = [newKey(), newKey(), newKey()];
const enrolled = (key: SigningKey, name: string, revoked: { by: string; at: string } | null = null) => ({
  publicKey: key.publicKey,
  name,
  revoked,
});
const both = registeredKeys([enrolled(one, "build-1"), enrolled(two, "build-2")]);

/** A chain of documents, each sealed by its own key. */
function chainOf(keys: readonly SigningKey[]) {
  const envelopes: unknown[] = [];
  const written = [];
  let previous: string | null = null;
  for (const [index, key] of keys.entries()) {
    const record = sampleRecord({
      id: `r1/${index + 1}`,
      previous,
      purpose: "documents",
      tests: [],
      required: [],
      observed: [],
    });
    const { envelope, hash } = seal(record, key);
    envelopes.push(envelope);
    written.push({ ...record, envelope: hash });
    previous = hash;
  }
  return { envelopes, facts: { run: "r1", written, completed: [] } };
}

verifies("SCL-08", "a chain of several workers is whole, and names the worker of each record", () => {
  const { envelopes, facts } = chainOf([one, two, one]);
  const chain = verifyChain(envelopes, both, facts);
  expect(chain.type === "whole" && signedRecords(chain.records, chain.signers)).toEqual([
    { record: "r1/1", worker: "build-1", key: one.id },
    { record: "r1/2", worker: "build-2", key: two.id },
    { record: "r1/3", worker: "build-1", key: one.id },
  ]);
});

verifies("SCL-08", "a record of an unknown or a revoked key is refused, with its key and its worker", () => {
  const { envelopes, facts } = chainOf([one, two, stranger]);
  expect(verifyChain(envelopes, both, facts)).toMatchObject({
    type: "broken",
    place: 3,
    record: "r1/3",
    code: "signature",
    why: `it was signed with the key ${stranger.id}, which is not enrolled`,
  });
  const revoked = { by: "anna@build-1", at: "2026-03-04T05:06:07.089Z" };
  const keys = registeredKeys([enrolled(one, "build-1"), enrolled(two, "build-2", revoked)]);
  expect([both.hasRevoked, keys.hasRevoked]).toEqual([false, true]);
  expect(verifyChain(envelopes, keys, facts)).toMatchObject({
    place: 2,
    record: "r1/2",
    code: "signature",
    why: `it was signed with the key ${two.id} of build-2, which was revoked by anna@build-1 at 2026-03-04T05:06:07.089Z; a record from before is refused too, since only its signer says when it was made`,
  });
});

test("a signature under the id of another worker's key is not valid", () => {
  const { envelope } = seal(sampleRecord(), one);
  const forged = { ...envelope, signatures: envelope.signatures.map(({ sig }) => ({ keyid: two.id, sig })) };
  expect(openEnvelope(forged, both)).toEqual({
    type: "broken",
    code: "signature",
    why: "its signature is not valid for the key of build-2",
  });
  // One valid signature is enough, whatever else is beside it.
  const signatures = [...forged.signatures, ...envelope.signatures];
  expect(openEnvelope({ ...envelope, signatures }, both)).toMatchObject({ signer: { worker: "build-1" } });
});
