/**
 * `mettle verify --bundle`: checks the evidence of a bundle on a machine that has only the commits: signatures, chain, claims,
 * outputs, printed blocks, commits and trees.
 */
import type { Bundle } from "../evidence/bundle/bundle.ts";
import { keysOfBundle, readStatement, versionFor } from "../evidence/bundle/bundle.ts";
import type { Statement } from "../evidence/bundle/statement.ts";
import { statementFault } from "../evidence/bundle/statement-rules.ts";
import { verifyChain, type ChainResult } from "../evidence/chain.ts";
import { keyId } from "../evidence/keys.ts";
import { signedRecords, type SignedRecord } from "../evidence/trusted-keys.ts";
import { outputFault } from "../evidence/overclaim/output-rules.ts";
import { overclaimOf } from "../evidence/overclaim/overclaim.ts";
import type { EvidenceRecord } from "../evidence/record.ts";
import { isShallow } from "../git/objects/borrowed-store.ts";
import { isAncestor, type Repository } from "../git/repository.ts";
import { sha256 } from "../lib/hash.ts";
import { blockWith } from "../run/blocks.ts";
import { containsBlock } from "../views/gate/execution-block.ts";
import { commitFault, frozenFault, timeFault, type CommitFault } from "./against-commits.ts";

export interface BundleFault {
  readonly verdict: "fail" | "inconclusive";
  readonly why: string;
  /** Id of the first broken record. */
  readonly record: string | null;
  readonly phase: string | null;
}

/** The records of a bundle whose evidence holds, or its first fault. */
export type BundleResult =
  | { readonly type: "broken"; readonly fault: BundleFault }
  | {
      readonly type: "whole";
      readonly statement: Statement;
      readonly records: readonly EvidenceRecord[];
      /** The worker of each record; empty if the key of the bundle signed them all. */
      readonly signed: readonly SignedRecord[];
    };

/** @param expectedKeys the ids of the keys that may have signed it and its records; empty: any key */
export async function verifyBundle(
  repository: Repository,
  bundle: Bundle,
  expectedKeys: readonly string[],
): Promise<BundleResult> {
  const id = keyId(bundle.key);
  const isExpected = (key: string) => expectedKeys.length === 0 || expectedKeys.includes(key);
  if (!isExpected(id))
    return broken(`it is signed with the key ${id}, not with ${expectedKeys.join(" or ")}`);
  const statement = readStatement(bundle);
  if (statement === null) {
    const [signature] = bundle.statement.signatures;
    return broken(
      `its statement is signed with the key ${signature?.keyid}, or changed; the bundle has ${id}`,
    );
  }
  if (bundle.version !== versionFor(statement))
    return broken(`it has version ${bundle.version}, and a statement of version ${versionFor(statement)}`);
  const chain = verifyChain(bundle.envelopes, keysOfBundle(bundle, statement), factsOf(statement));
  if (chain.type === "broken") return { type: "broken", fault: chainFault(chain) };
  const { records, signers } = chain;
  const stranger = signers.find(({ key }) => !isExpected(key));
  if (stranger !== undefined)
    return broken(
      `${stranger.worker} signed records with the key ${stranger.key}, which --key does not name`,
    );
  const signed = signedRecords(records, signers);
  const fault =
    claimFault(records) ??
    statedFault(statement, records) ??
    storedFault(bundle, records) ??
    shownFault(statement, records) ??
    (await commitsFault(repository, statement, records));
  return fault === null ? { type: "whole", statement, records, signed } : { type: "broken", fault };
}

function factsOf({ run, made, records, completed, reserved }: Statement) {
  const list = "the statement of the bundle";
  return { run, written: records, completed, reserved, list, hasNoRed: made === "refactor" };
}

function broken(why: string): BundleResult {
  return { type: "broken", fault: { verdict: "fail", why, record: null, phase: null } };
}

function chainFault({ why, record, phase, place }: Extract<ChainResult, { type: "broken" }>): BundleFault {
  return { verdict: "fail", why: `record ${record ?? place}: ${why}`, record, phase };
}

function faultOf({ id, phase }: EvidenceRecord, why: string): BundleFault {
  return { verdict: "fail", why: `record ${id}: ${why}`, record: id, phase };
}

function claimFault(records: readonly EvidenceRecord[]): BundleFault | null {
  const claim = overclaimOf(records);
  return claim === null ? null : faultOf(claim.record, claim.why);
}

function statedFault(statement: Statement, records: readonly EvidenceRecord[]): BundleFault | null {
  const fault = statementFault(statement, records);
  return fault === null ? null : { verdict: "fail", phase: null, ...fault };
}

function storedFault({ payloads }: Bundle, records: readonly EvidenceRecord[]): BundleFault | null {
  for (const record of records) {
    const output = payloads[record.output];
    if (output === undefined) return faultOf(record, "its output is not in the bundle");
    if (sha256(output) !== record.output) return faultOf(record, "its output was changed");
    const why = outputFault(record, output);
    if (why !== null) return faultOf(record, why);
  }
  return null;
}

/** Each block that a person saw is that of its record. */
function shownFault({ shown }: Statement, records: readonly EvidenceRecord[]): BundleFault | null {
  const known = new Map(records.map((record) => [record.id, record]));
  for (const { record: id, text } of shown) {
    const record = known.get(id);
    if (record === undefined)
      return {
        verdict: "fail",
        why: `a block of ${id} was shown, which has no record`,
        record: id,
        phase: null,
      };
    const block = blockWith(
      record,
      record.inner.flatMap((inner) => known.get(inner) ?? []),
    );
    if (!containsBlock(text, block)) return faultOf(record, "the shown block differs from the record");
  }
  return null;
}

async function commitsFault(
  repository: Repository,
  statement: Statement,
  records: readonly EvidenceRecord[],
): Promise<BundleFault | null> {
  const { base, head, red, made } = statement;
  const isComposed = made === "prove";
  for (const place of [base, head, isComposed ? null : red]) {
    const fault = place === null ? null : await commitFault(repository, place);
    if (fault !== null) return { record: null, phase: null, ...fault };
  }
  const order = await orderFault(repository, statement);
  if (order !== null) return { record: null, phase: null, ...order };
  for (const record of records) {
    if (isComposed && record.commit === red?.commit) continue;
    const fault =
      (await commitFault(repository, record)) ??
      (await frozenFault(repository, record, { isComposed })) ??
      (await timeFault(repository, record));
    if (fault === null) continue;
    const { id, phase } = record;
    return { ...fault, why: `record ${id}: ${fault.why}`, record: id, phase };
  }
  return null;
}

/** Base before RED before head, in the history of the repository. A run may rewrite the commits of its RED. */
async function orderFault(
  repository: Repository,
  { base, red, head, made }: Statement,
): Promise<CommitFault | null> {
  const inside = made === "prove" ? null : red;
  const pairs = [
    [base, inside],
    [base, head],
    [made === "run" ? null : inside, head],
  ] as const;
  for (const [first, then] of pairs) {
    if (first === null || then === null) continue;
    const [ancestor, of] = [first.commit, then.commit];
    if (await isAncestor(repository, { ancestor, of })) continue;
    return (await isShallow(repository))
      ? {
          verdict: "inconclusive",
          why: `this clone is shallow and lacks the history from ${ancestor} to ${of}`,
        }
      : { verdict: "fail", why: `commit ${ancestor} is not an ancestor of ${of}` };
  }
  return null;
}
