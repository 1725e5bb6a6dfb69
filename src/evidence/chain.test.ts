import { generateKeyPairSync, verify } from "node:crypto";
import { describe, expect, test } from "vitest";
import { canonicalJson, sha256 } from "../lib/hash.ts";
import { type ChainFacts, openEnvelope, seal, type SealedRecord, verifyChain } from "./chain.ts";
import { sampleRecord } from "./fixtures/record.ts";
import { keyId, type SigningKey } from "./keys.ts";
import type { EvidenceRecord } from "./record.ts";
import type { SignedEnvelope } from "./sign.ts";
import { onlyKey } from "./trusted-keys.ts";

const key = newKey();
const adds = "tests/add.test.js::adds";
const subtracts = "tests/add.test.js::subtracts";

function newKey(): SigningKey {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  return { id: keyId(publicKey), privateKey, publicKey };
}

/** The records of a run: documents, the RED run and its gate, GREEN and the final run. */
const drafts: readonly Partial<EvidenceRecord>[] = [
  {
    phase: "4 USER_GATE_PLAN",
    purpose: "documents",
    argv: ["git", "hash-object", "spec.md"],
    tests: [],
    required: [],
    observed: [],
  },
  { phase: "5 TDD_RED", purpose: "red", exitCode: 1, verdict: "fail", tests: [test1("failed")] },
  { phase: "5 TDD_RED", purpose: "red", title: "mettle gate red", tests: [], inner: ["r1/2"] },
  { phase: "7 TDD_GREEN", purpose: "green" },
  { phase: "10 SUMMARY", purpose: "final", key: "summary#1" },
];

function test1(status: "passed" | "failed"): EvidenceRecord["tests"][number] {
  return { id: adds, status, kind: status === "failed" ? "assertion" : null, message: "", frames: [] };
}

/** Seals records as a run does: numbered, each with the hash of its predecessor. */
function chain(changes: readonly Partial<EvidenceRecord>[] = drafts, signer = key) {
  const sealed: SealedRecord[] = [];
  const records = changes.map((change, index): EvidenceRecord => {
    const record = sampleRecord({ id: `r1/${index + 1}`, previous: sealed.at(-1)?.hash ?? null, ...change });
    sealed.push(seal(record, signer));
    return record;
  });
  const envelopes: readonly SignedEnvelope[] = sealed.map(({ envelope }) => envelope);
  const facts: ChainFacts = {
    run: "r1",
    written: records.map((record, index) => ({ ...record, envelope: sealed[index]?.hash ?? "" })),
    completed: [
      { phase: "5 TDD_RED", record: "r1/3" },
      { phase: "7 TDD_GREEN", record: "r1/4" },
    ],
  };
  return { records, envelopes, facts };
}

/** Changes one draft and keeps the rest. */
function with_(place: number, change: Partial<EvidenceRecord>): readonly Partial<EvidenceRecord>[] {
  return drafts.map((draft, index) => (index === place - 1 ? { ...draft, ...change } : draft));
}

test("a complete chain is verified and returns its records", () => {
  const { records, envelopes, facts } = chain();
  expect(verifyChain(JSON.parse(JSON.stringify(envelopes)), onlyKey(key.publicKey), facts)).toEqual({
    type: "whole",
    records,
    signers: records.map(() => ({ key: key.id, worker: null })),
  });
});

test("a reserved number may come late, once, and no other record takes it (fault P8)", () => {
  const ids = ["r1/1", "r1/3", "r1/4", "r1/2", "r1/5"];
  const plain = { phase: null, purpose: "documents", tests: [], required: [], observed: [] };
  const judged = (given: readonly string[], reserved: readonly string[]) => {
    const { envelopes, facts } = chain(given.map((id) => ({ ...plain, id })));
    return verifyChain(envelopes, onlyKey(key.publicKey), { ...facts, completed: [], reserved });
  };
  expect(judged(ids, ["r1/2"])).toMatchObject({ type: "whole" });
  expect(judged(ids, [])).toMatchObject({ why: "its number is r1/3, expected r1/2" });
  expect(judged(["r1/1", "r1/2", "r1/2", "r1/3", "r1/4"], ["r1/2"])).toMatchObject({
    why: "its number is r1/2, expected r1/3",
  });
  expect(judged(["r1/1", "r1/4", "r1/3", "r1/2", "r1/5"], ["r1/2"])).toMatchObject({
    why: "its number is r1/4, expected r1/3",
  });
});

test("an envelope is DSSE over canonical JSON, and its hash is the address of its canonical JSON", () => {
  const record = sampleRecord();
  const { envelope, hash } = seal(record, key);
  const body = canonicalJson(record);
  expect(Buffer.from(envelope.payload, "base64").toString()).toBe(body);
  expect(hash).toBe(sha256(canonicalJson(envelope)));
  const message = `DSSEv1 ${envelope.payloadType.length} ${envelope.payloadType} ${Buffer.byteLength(body)} ${body}`;
  const [signature] = envelope.signatures;
  expect(signature?.keyid).toBe(key.id);
  expect(verify(null, Buffer.from(message), key.publicKey, Buffer.from(signature?.sig ?? "", "base64"))).toBe(
    true,
  );
  expect(openEnvelope(envelope, onlyKey(key.publicKey))).toEqual({
    type: "record",
    record,
    hash,
    signer: { key: key.id, worker: null },
  });
});

describe("a tampered copy is refused at the changed record, with the reason", () => {
  const good = chain();
  const list = good.envelopes;
  const swapped = [list[0], list[2], list[1], list[3], list[4]];
  const flipped = list.map((one, index) => (index === 1 ? { ...one, payload: flip(one.payload) } : one));

  const copies: readonly (readonly [string, { envelopes: readonly unknown[]; facts: ChainFacts }, object])[] =
    [
      ["byte flipped", { ...good, envelopes: flipped }, { place: 2, record: "r1/2", code: "signature" }],
      ["reordered", { ...good, envelopes: swapped }, { place: 2, record: "r1/3", code: "previous" }],
      ["one removed", { ...good, envelopes: list.toSpliced(1, 1) }, { place: 2, code: "previous" }],
      ["the first removed", { ...good, envelopes: list.slice(1) }, { place: 1, code: "previous" }],
      [
        "the last removed",
        { ...good, envelopes: list.slice(0, -1) },
        { place: 5, phase: "10 SUMMARY", code: "missing" },
      ],
      ["one repeated", { ...good, envelopes: [...list, list[4]] }, { place: 6, code: "previous" }],
      [
        "signed by another key",
        { ...chain(drafts, newKey()), facts: good.facts },
        { place: 1, code: "signature" },
      ],
      ["not an envelope", { ...good, envelopes: [{}] }, { place: 1, code: "unreadable" }],
      ["of another run", { ...chain(with_(3, { run: "r2" })) }, { place: 3, code: "run" }],
      ["numbered wrongly", chain(with_(4, { id: "r1/9" })), { place: 4, code: "number" }],
      [
        "of another commit than the journal says",
        { ...good, facts: { ...good.facts, written: written(good.facts, 4, { commit: "d".repeat(40) }) } },
        { place: 4, code: "journal" },
      ],
      [
        "of another verdict than the journal says",
        { ...good, facts: { ...good.facts, written: written(good.facts, 4, { verdict: "fail" }) } },
        { place: 4, code: "journal" },
      ],
      [
        "unknown to the journal",
        { ...good, facts: { ...good.facts, written: [] } },
        { place: 1, code: "journal" },
      ],
      ["GREEN before RED", chain([drafts[3] ?? {}, drafts[1] ?? {}]), { place: 1, code: "order" }],
      ["GREEN after a RED that failed", chain(with_(3, { verdict: "fail" })), { place: 4, code: "order" }],
      [
        "a required test failed",
        chain(with_(4, { tests: [test1("failed")] })),
        { place: 4, code: "required" },
      ],
      [
        "a required test absent",
        chain(with_(4, { required: [adds, subtracts] })),
        { place: 4, code: "required" },
      ],
      [
        "a test that RED required dropped",
        chain(with_(4, { required: [], tests: [] })),
        { place: 4, code: "phase" },
      ],
      [
        "a frozen file changed",
        chain(
          with_(4, {
            hashes: { protected: { "tests/add.test.js": "sha256:bb" }, config: null, lockfile: null },
          }),
        ),
        { place: 4, code: "frozen" },
      ],
      [
        "containing a record that is not there",
        chain(with_(3, { inner: ["r1/7"] })),
        { place: 3, code: "inner" },
      ],
      [
        "a completed phase without success",
        chain(with_(4, { exitCode: 1 })),
        { place: 4, phase: "7 TDD_GREEN", code: "phase" },
      ],
      [
        "a completed phase without a record",
        { ...good, facts: { ...good.facts, completed: [{ phase: "9 USER_GATE_CODE", record: "r1/8" }] } },
        { record: "r1/8", phase: "9 USER_GATE_CODE", code: "phase" },
      ],
    ];

  test.each(copies)("%s", (_name, { envelopes, facts }, broken) => {
    const result = verifyChain(envelopes, onlyKey(key.publicKey), facts);
    expect(result).toMatchObject({ type: "broken", ...broken });
    expect(result.type === "broken" && result.why).toMatch(/\w{3,}/);
  });
});

test("a signature is valid for its type only, and a payload has one encoding", () => {
  const { envelope } = seal(sampleRecord(), key);
  expect(openEnvelope({ ...envelope, payloadType: "text/plain" }, onlyKey(key.publicKey))).toMatchObject({
    code: "unreadable",
  });
  expect(
    openEnvelope({ ...envelope, payload: `${envelope.payload}\n` }, onlyKey(key.publicKey)),
  ).toMatchObject({
    code: "signature",
  });
});

function flip(base64: string): string {
  const bytes = Buffer.from(base64, "base64");
  bytes[20] = (bytes[20] ?? 0) ^ 1;
  return bytes.toString("base64");
}

function written(facts: ChainFacts, place: number, change: Partial<EvidenceRecord>): ChainFacts["written"] {
  return facts.written.map((one, index) => (index === place - 1 ? { ...one, ...change } : one));
}
