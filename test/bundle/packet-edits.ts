/** What the packets share: their type, and changes of single records. */
import type { EvidenceRecord } from "../../src/evidence/record.ts";
import type { BundleFile, Contents } from "./packet.ts";

/** Commits of the repository, besides those of the change. */
export interface OtherCommits {
  /** A child of the base with other work. */
  readonly other: { readonly commit: string; readonly tree: string };
  /** A root without history. */
  readonly unrelated: { readonly commit: string; readonly tree: string };
}

interface Edits extends Contents, OtherCommits {
  /** The last record with this purpose. */
  readonly of: (purpose: string) => EvidenceRecord;
}

export interface Packet {
  readonly name: string;
  readonly why: RegExp;
  /** Changes the contents before they are signed with the machine's own key. */
  readonly change?: (edits: Edits) => void;
  /** Changes the signed file. */
  readonly edit?: (file: BundleFile, attacker: { readonly file: BundleFile }) => void;
  /** Verified without knowing the key. */
  readonly anyKey?: true;
  /** Signed by somebody else. */
  readonly byAttacker?: true;
}

export const added = "test/discount.test.js::takes a discount";
export const old = "test/cart.test.js::is empty";
export const frozenFile = "test/discount.test.js";

export const resultOf = ({ tests }: EvidenceRecord, id: string) => {
  const found = tests.find((test) => test.id === id);
  if (found === undefined) throw new Error(`no result of ${id}`);
  return found;
};

export function withoutTest(record: EvidenceRecord, id: string): void {
  record.tests = record.tests.filter((test) => test.id !== id);
  record.observed = record.observed.filter((one) => one !== id);
}

export function fail(record: EvidenceRecord, id: string): void {
  Object.assign(resultOf(record, id), { status: "failed", kind: "assertion", message: "no" });
}

export function failRun(record: EvidenceRecord, id: string): void {
  fail(record, id);
  Object.assign(record, { verdict: "fail", exitCode: 1, reasons: [`other tests: 1 failed: ${id}`] });
}

export function setCommand(record: EvidenceRecord, argv: readonly string[]): void {
  Object.assign(record, { argv: [...argv], title: argv.join(" ") });
}

export function replaceInCommand(record: EvidenceRecord, from: string, to: string): void {
  setCommand(
    record,
    record.argv.map((word) => (word === from ? to : word)),
  );
}

export const greens = ["green.tests", "green.canary", "green.counts", "green", "prove"];
export const reds = ["red.tests", "red.repeat", "red"];

export function vitest(record: EvidenceRecord): void {
  record.runner = { name: "vitest", version: "4.1.0", node: "v20" };
  record.argv = ["/usr/bin/node", "/project/node_modules/vitest/vitest.mjs", "run"];
}

/** Changes the frozen files of RED, GREEN and their runs. */
export function freeze(
  records: readonly EvidenceRecord[],
  change: (files: Record<string, string>) => void,
): void {
  for (const { hashes, purpose } of records)
    if (hashes.protected !== null && purpose !== "baseline") change(hashes.protected);
}
