/** The rules of an evidence chain: one function per rule, in the order of their evaluation. Pure. */
import type { EvidenceRecord } from "./record.ts";
import { freeIds } from "./record-numbers.ts";

/** The journal's events `record.written` and `phase.completed`, in order, to compare the chain with. */
export interface ChainFacts {
  readonly run: string;
  readonly written: readonly WrittenRecord[];
  readonly completed: readonly { readonly phase: string; readonly record: string }[];
  /** Ids reserved for records of commits. */
  readonly reserved?: readonly string[];
  /** What lists the records; default the journal. */
  readonly list?: string;
  /** A refactoring has no RED: its tests pass before and after. */
  readonly hasNoRed?: boolean;
}

export interface WrittenRecord extends Pick<
  EvidenceRecord,
  "id" | "key" | "phase" | "purpose" | "verdict" | "exitCode" | "commit" | "tree"
> {
  /** Address of the envelope. */
  readonly envelope: string;
}

interface Step {
  readonly record: EvidenceRecord;
  readonly hash: string;
  readonly index: number;
  readonly before: readonly EvidenceRecord[];
  /** Hash of the previous envelope. */
  readonly previous: string | null;
  readonly facts: ChainFacts;
}

interface ChainFault {
  readonly place: number;
  readonly record: string | null;
  readonly phase: string | null;
  readonly why: string;
}

/** `each` runs for every record in its position; `whole` runs when every record has passed. The key is the code of the reason. */
export const rules: {
  readonly each: Readonly<Record<string, (step: Step) => string | null>>;
  readonly whole: Readonly<
    Record<string, (records: readonly EvidenceRecord[], facts: ChainFacts) => ChainFault | null>
  >;
} = {
  each: { run, previous, number, journal, inner, order, required, frozen },
  whole: { missing, phase },
};

function run({ record, facts }: Step): string | null {
  return record.run === facts.run ? null : `it belongs to run ${record.run}`;
}

function previous({ record, previous: hash }: Step): string | null {
  return record.previous === hash
    ? null
    : "it does not follow the record before it: one was removed, moved or changed";
}

/** Numbers are consecutive. A reserved number may appear at any position, once. */
function number({ record, before, facts }: Step): string | null {
  const { run: name, reserved = [] } = facts;
  const given = before.map(({ id }) => id);
  if (reserved.includes(record.id) && !given.includes(record.id)) return null;
  const id = freeIds(name, [...given, ...reserved])();
  return record.id === id ? null : `its number is ${record.id}, expected ${id}`;
}

function journal({ record, hash, index, facts }: Step): string | null {
  const written = facts.written[index];
  const { list = "the journal" } = facts;
  if (written === undefined) return `${list} does not contain it`;
  if (written.envelope !== hash) return `${list} names another envelope for it`;
  const fields = ["id", "key", "phase", "purpose", "verdict", "exitCode", "commit", "tree"] as const;
  const differs = fields.find((field) => written[field] !== record[field]);
  return differs === undefined
    ? null
    : `${list} says ${differs} ${written[differs]}, the record ${record[differs]}`;
}

function inner({ record, before }: Step): string | null {
  const unknown = record.inner.find((id) => !before.some((earlier) => earlier.id === id));
  return unknown === undefined ? null : `it contains ${unknown}, which is not an earlier record`;
}

/** GREEN, and every proof that builds on it, follows a passed RED. */
function order({ record, before, facts }: Step): string | null {
  if (facts.hasNoRed === true || !isSuccess(record) || lastRed(before, record) !== undefined) return null;
  return `it proves ${record.purpose} before any RED has passed`;
}

function required(step: Step): string | null {
  const { record } = step;
  if (record.verdict !== "pass") return null;
  const tests = [record, ...contained(step)].flatMap((one) => one.tests);
  const observed = new Set(tests.map(({ id }) => id));
  const unseen = record.required.find((id) => !observed.has(id));
  if (unseen !== undefined) return `it passed without the required test ${unseen}`;
  if (!isSuccess(record)) return null;
  const unproven = record.required.find(
    (id) => !tests.some((test) => test.id === id && test.status === "passed"),
  );
  return unproven === undefined ? null : `it passed although the required test ${unproven} did not`;
}

/** No file that RED froze changes in a later success. */
function frozen({ record, before }: Step): string | null {
  const red = lastRed(before, record);
  if (!isSuccess(record) || red?.hashes.protected == null || record.hashes.protected === null) return null;
  const now = record.hashes.protected;
  const changed = Object.entries(red.hashes.protected).find(([path, hash]) => now[path] !== hash);
  return changed === undefined ? null : `the frozen file ${changed[0]} is not the one that RED froze`;
}

/** The journal lists records beyond the end of the chain. */
function missing(records: readonly EvidenceRecord[], facts: ChainFacts): ChainFault | null {
  const lost = facts.written[records.length];
  if (lost === undefined) return null;
  return {
    place: records.length + 1,
    record: lost.id,
    phase: lost.phase,
    why: `${facts.list ?? "the journal"} names it and it is missing`,
  };
}

/** Every completed phase has its own record with exit code 0. */
function phase(records: readonly EvidenceRecord[], facts: ChainFacts): ChainFault | null {
  for (const { phase: name, record: id } of facts.completed) {
    const place = records.findIndex((record) => record.id === id);
    const record = records[place];
    const at = { place: place + 1, record: id, phase: name };
    if (record === undefined) return { ...at, why: `phase ${name} is complete without a record` };
    if (record.exitCode !== 0 || record.verdict !== "pass") {
      return { ...at, why: `phase ${name} is complete with a record that did not pass` };
    }
    const red = isGreen(record) ? lastRed(records.slice(0, place), record) : undefined;
    const dropped = red?.required.find((test) => !record.required.includes(test));
    if (dropped !== undefined) return { ...at, why: `it does not require ${dropped}, which RED required` };
  }
  return null;
}

function isGreen({ purpose }: EvidenceRecord): boolean {
  return purpose === "green" || purpose === "final";
}

function isSuccess(record: EvidenceRecord): boolean {
  return isGreen(record) && record.verdict === "pass";
}

/** The last RED before a record; in a graph, the last RED of the same node, because each node has its own tests. */
function lastRed(records: readonly EvidenceRecord[], of: EvidenceRecord): EvidenceRecord | undefined {
  return records.findLast(
    ({ purpose, verdict, controls }) =>
      purpose === "red" && verdict === "pass" && controls["node"] === of.controls["node"],
  );
}

function contained({ record, before }: Step): readonly EvidenceRecord[] {
  return before.filter(({ id }) => record.inner.includes(id));
}
