/** What must hold in a chain of evidence, one function for each rule, in the order in which they are asked. Pure. */
import type { EvidenceRecord } from "./record.ts";
import { freeIds } from "./record-numbers.ts";

/** What the journal says, for comparison: the events `record.written` and `phase.completed`, in order. */
export interface ChainFacts {
  readonly run: string;
  readonly written: readonly Written[];
  readonly completed: readonly { readonly phase: string; readonly record: string }[];
  /** Ids that were reserved for the records of commits. */
  readonly reserved?: readonly string[];
}

export interface Written extends Pick<
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
  /** Hash of the envelope before it. */
  readonly previous: string | null;
  readonly facts: ChainFacts;
}

interface BrokenWhole {
  readonly place: number;
  readonly record: string | null;
  readonly phase: string | null;
  readonly why: string;
}

/** `each`: asked of every record in its place. `whole`: asked when all records are in order. The key is the reason's code. */
export const rules: {
  readonly each: Readonly<Record<string, (step: Step) => string | null>>;
  readonly whole: Readonly<
    Record<string, (records: readonly EvidenceRecord[], facts: ChainFacts) => BrokenWhole | null>
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

/** One after the other; a reserved number may come at any place, once. */
function number({ record, before, facts }: Step): string | null {
  const { run: name, reserved = [] } = facts;
  const given = before.map(({ id }) => id);
  if (reserved.includes(record.id) && !given.includes(record.id)) return null;
  const id = freeIds(name, [...given, ...reserved])();
  return record.id === id ? null : `it is numbered ${record.id} where ${id} belongs`;
}

function journal({ record, hash, index, facts }: Step): string | null {
  const written = facts.written[index];
  if (written === undefined) return "the journal does not know it";
  if (written.envelope !== hash) return "the journal names another envelope in its place";
  const fields = ["id", "key", "phase", "purpose", "verdict", "exitCode", "commit", "tree"] as const;
  const differs = fields.find((field) => written[field] !== record[field]);
  return differs === undefined
    ? null
    : `the journal says ${differs} ${written[differs]}, the record ${record[differs]}`;
}

function inner({ record, before }: Step): string | null {
  const unknown = record.inner.find((id) => !before.some((earlier) => earlier.id === id));
  return unknown === undefined ? null : `it contains ${unknown}, which is no earlier record`;
}

/** GREEN, and what builds on it, follows a RED that passed. */
function order({ record, before }: Step): string | null {
  if (!isSuccess(record) || lastRed(before, record) !== undefined) return null;
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

/** What RED froze is unchanged in every later success. */
function frozen({ record, before }: Step): string | null {
  const red = lastRed(before, record);
  if (!isSuccess(record) || red?.hashes.protected == null || record.hashes.protected === null) return null;
  const now = record.hashes.protected;
  const changed = Object.entries(red.hashes.protected).find(([path, hash]) => now[path] !== hash);
  return changed === undefined ? null : `the frozen file ${changed[0]} is not the one that RED froze`;
}

/** The journal knows records beyond the end of the chain. */
function missing(records: readonly EvidenceRecord[], facts: ChainFacts): BrokenWhole | null {
  const lost = facts.written[records.length];
  if (lost === undefined) return null;
  return {
    place: records.length + 1,
    record: lost.id,
    phase: lost.phase,
    why: "the journal names it and it is not there",
  };
}

/** Every completed phase stands on a record of its own that ended with exit 0. */
function phase(records: readonly EvidenceRecord[], facts: ChainFacts): BrokenWhole | null {
  for (const { phase: name, record: id } of facts.completed) {
    const place = records.findIndex((record) => record.id === id);
    const record = records[place];
    const at = { place: place + 1, record: id, phase: name };
    if (record === undefined) return { ...at, why: `phase ${name} is complete without a record` };
    if (record.exitCode !== 0 || record.verdict !== "pass") {
      return { ...at, why: `phase ${name} is complete on a record that did not pass` };
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

/** In a graph that of the same node: each has tests of its own. */
function lastRed(records: readonly EvidenceRecord[], of: EvidenceRecord): EvidenceRecord | undefined {
  return records.findLast(
    ({ purpose, verdict, controls }) =>
      purpose === "red" && verdict === "pass" && controls["node"] === of.controls["node"],
  );
}

function contained({ record, before }: Step): readonly EvidenceRecord[] {
  return before.filter(({ id }) => record.inner.includes(id));
}
