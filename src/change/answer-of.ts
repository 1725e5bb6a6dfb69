/** Makes the answer and the record of `--out` from what a gate found. */
import * as z from "zod";
import { EvidenceRecord } from "../evidence/record.ts";
import { canonicalJson, sha256 } from "../lib/hash.ts";
import { GateAnswer } from "./answer.ts";
import type { ChangeVerdict } from "./judge.ts";
import { withRemedy } from "./remedies.ts";

/** The gate's record with the records of the runs it contains. Readers of records ignore unknown fields. */
export const WrittenRecord = EvidenceRecord.extend({ contains: z.array(EvidenceRecord) });

export function answerOf(judged: ChangeVerdict): GateAnswer {
  const { gate, revisions, verdict, standing, isEmpty } = judged;
  const record = ownRecord(judged);
  const found =
    judged.characterized === null
      ? null
      : { proved: [...judged.characterized.proved], unproved: [...judged.characterized.unproved] };
  return GateAnswer.parse({
    gate,
    verdict: verdict.verdict,
    ...revisions,
    tree: judged.tree,
    runner: runnersOf(judged),
    started: judged.records.map(({ started }) => started).toSorted()[0] ?? record.started,
    ended: record.ended,
    checks: verdict.checks.map(({ name, verdict: said, reason, tests, places }) => ({
      name,
      verdict: said,
      reason: said === "fail" ? withRemedy(name, reason) : reason,
      tests: [...tests],
      places: [...places],
    })),
    findings: verdict.findings.map((finding) => ({ ...finding, places: [...finding.places] })),
    required: [...judged.required],
    observed: [...judged.observed],
    numbers: judged.numbers,
    record: { id: record.id, hash: sha256(canonicalJson(record)) },
    ...(gate === "prove" ? { nothing_to_prove: isEmpty } : {}),
    ...(judged.isCharacterizing || found !== null ? { characterized: found } : {}),
    base_tests: standing === null ? null : { tests: standing.tests, failing: [...standing.failing] },
  });
}

export function writtenRecord(judged: ChangeVerdict): z.infer<typeof WrittenRecord> {
  return { ...ownRecord(judged), contains: judged.records.slice(0, -1) };
}

function ownRecord({ records }: ChangeVerdict): EvidenceRecord {
  const record = records.at(-1);
  if (record === undefined) throw new TypeError("a gate leaves a record");
  return record;
}

function runnersOf({ records }: ChangeVerdict): string | null {
  const names = records.flatMap(({ runner }) =>
    runner === null ? [] : [`${runner.name}${runner.version === null ? "" : ` ${runner.version}`}`],
  );
  return names.length === 0 ? null : [...new Set(names)].join(", ");
}
