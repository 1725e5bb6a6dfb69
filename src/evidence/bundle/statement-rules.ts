/** What a statement may not claim: anything that its records do not show. One function per rule, in their order. Pure. */
import { canonicalJson } from "../../lib/hash.ts";
import { gateCommand } from "../gate-command.ts";
import type { EvidenceRecord } from "../record.ts";
import type { Statement } from "./statement.ts";

export interface StatementFault {
  /** Id of the record that contradicts the statement, where one does. */
  readonly record: string | null;
  readonly why: string;
}

type StatementRule = (statement: Statement, records: readonly EvidenceRecord[]) => StatementFault | null;

/** The first fault, or null. The chain of the records is verified before. */
export function statementFault(
  statement: Statement,
  records: readonly EvidenceRecord[],
): StatementFault | null {
  for (const rule of Object.values(rules)) {
    const fault = rule(statement, records);
    if (fault !== null) return fault;
  }
  return null;
}

const rules: Readonly<Record<string, StatementRule>> = { made, revisions, red, required, head, regressions };

/** The last record of a gate is its own. */
function made({ made: name }: Statement, records: readonly EvidenceRecord[]): StatementFault | null {
  const last = records.at(-1);
  if (last === undefined) return { record: null, why: "it contains no record" };
  if (name === "run" || last.purpose === name) return null;
  return { record: last.id, why: `the bundle is of ${name}, and its last record is of ${last.purpose}` };
}

function revisions({ made: name, base, head: at }: Statement, records: readonly EvidenceRecord[]) {
  const last = records.at(-1);
  const gate = last === undefined ? null : gateCommand(last);
  // The base of a merge is its first side.
  if (name === "run" || last === undefined || gate === null) return null;
  const named = `its command judges ${gate.base}..${gate.head}`;
  if (gate.base !== base.commit && name !== "merge")
    return { record: last.id, why: `the bundle states the base ${base.commit}; ${named}` };
  if (last.commit !== at?.commit || last.tree !== at?.tree)
    return { record: last.id, why: `the bundle states the head ${at?.commit}; ${named}` };
  return null;
}

/** A passed RED at the stated commit. */
function red({ red: at }: Statement, records: readonly EvidenceRecord[]): StatementFault | null {
  if (at === null) return null;
  const own = records.findLast(({ purpose, commit }) => purpose === "red" && commit === at.commit);
  if (own === undefined)
    return { record: null, why: `the bundle states RED at ${at.commit}, of which it has no record` };
  return own.tree === at.tree
    ? null
    : { record: own.id, why: `the bundle states the tree ${at.tree} of RED, its record ${own.tree}` };
}

function required({ made: name, required: ids }: Statement, records: readonly EvidenceRecord[]) {
  const last = records.at(-1);
  if (name === "run" || last === undefined || canonicalJson(ids) === canonicalJson(last.required))
    return null;
  const other =
    ids.find((id) => !last.required.includes(id)) ?? last.required.find((id) => !ids.includes(id));
  return { record: last.id, why: `the bundle and the record do not require the same tests: ${other}` };
}

/** The proved commit of a run has a passed record in which each required test passed. */
function head({ made: name, head: at, required: ids }: Statement, records: readonly EvidenceRecord[]) {
  if (name !== "run" || at === null) return null;
  const own = records.filter(
    ({ commit, tree, verdict }) => verdict === "pass" && commit === at.commit && tree === at.tree,
  );
  if (own.length === 0) return { record: null, why: `no passed record is about the head ${at.commit}` };
  const passed = new Set(
    own.flatMap(({ tests }) => tests.flatMap(({ id, status }) => (status === "passed" ? [id] : []))),
  );
  const missing = ids.find((id) => !passed.has(id));
  return missing === undefined
    ? null
    : { record: own.at(-1)?.id ?? null, why: `no passed record of the head shows that ${missing} passed` };
}

/** A gate does not pass if a test fails that passed on the base. */
function regressions({ made: name, base, accepted }: Statement, records: readonly EvidenceRecord[]) {
  const ofBase = records.filter(({ commit }) => commit === base.commit);
  const before = ofBase.find(({ purpose }) => purpose === "baseline");
  if (name === "run" || before === undefined) return null;
  const again = ofBase.filter(({ purpose }) => purpose === "baseline.again").flatMap(({ tests }) => tests);
  const ranAgain = new Set(again.map(({ id }) => id));
  const failedAgain = new Set(again.flatMap(({ id, status }) => (status === "passed" ? [] : [id])));
  /** It passed in every run of the base. */
  const isSteady = (id: string) => again.length === 0 || (ranAgain.has(id) && !failedAgain.has(id));
  const passedOnBase = new Set(
    before.tests.flatMap(({ id, status }) => (status === "passed" && isSteady(id) ? [id] : [])),
  );
  for (const gate of records) {
    if (!["green", "final", "prove"].includes(gate.purpose) || gate.verdict !== "pass") continue;
    const again = records.filter(
      ({ id, purpose }) => gate.inner.includes(id) && purpose.endsWith(".confirm"),
    );
    const recovered = new Set(
      again.flatMap(({ tests }) => tests.flatMap(({ id, status }) => (status === "passed" ? [id] : []))),
    );
    const lost = gate.tests.find(
      ({ id, status }) =>
        status !== "passed" && passedOnBase.has(id) && !recovered.has(id) && !accepted.includes(id),
    );
    if (lost !== undefined)
      return {
        record: gate.id,
        why: `it passed although ${lost.id} is ${lost.status} and passed on the base`,
      };
  }
  return null;
}
