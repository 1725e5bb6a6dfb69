/** The output of `mettle gate` and `mettle prove` with `--json` and `--out` (docs/prove.md). */
import * as z from "zod";
import { EvidenceRecord } from "../evidence/record.ts";
import { canonicalJson, sha256 } from "../lib/hash.ts";
import { Numbers } from "./numbers.ts";
import { withRemedy } from "./remedies.ts";
import { gateNames, type ChangeVerdict } from "./judge.ts";

const Verdict = z.enum(["pass", "fail", "inconclusive"]);
/** Files of head that a check or finding is about; `line` from 1, or null. */
const Places = z.array(z.object({ path: z.string(), line: z.number().nullable() }));

export const GateAnswer = z.object({
  gate: z.enum([...gateNames, "prove"]),
  verdict: Verdict,
  /** Full ids; `red` is null if no RED commit was named or found. */
  base: z.string(),
  head: z.string(),
  /** The tree of head. */
  tree: z.string(),
  red: z.string().nullable(),
  /** Name and version of each runner, e.g. `vitest 4.1.2`; null if none ran. */
  runner: z.string().nullable(),
  /** ISO 8601 UTC, of the whole gate with the base's tests. */
  started: z.string(),
  ended: z.string(),
  checks: z.array(
    z.object({
      name: z.string(),
      verdict: Verdict,
      /** The fault and how to fix it; empty for a pass. */
      reason: z.string(),
      /** Ids. */
      tests: z.array(z.string()),
      places: Places,
    }),
  ),
  findings: z.array(
    z.object({
      code: z.string(),
      severity: z.enum(["block", "finding"]),
      message: z.string(),
      path: z.string().optional(),
      testId: z.string().optional(),
      places: Places,
    }),
  ),
  /** Ids of the required tests, and of those that ran. */
  required: z.array(z.string()),
  observed: z.array(z.string()),
  /** Minimality and quality, or "not measured". They do not affect the verdict. */
  numbers: Numbers,
  /** The gate's record; `--out` writes it. */
  record: z.object({ id: z.string(), hash: z.string() }),
  /** Ids of tests of existing behaviour, only for `mettle prove --characterize`; null if the change adds none. */
  characterized: z
    .object({ proved: z.array(z.string()), unproved: z.array(z.string()) })
    .nullable()
    .optional(),
  /** Only for `mettle prove`: neither source nor tests changed. */
  nothing_to_prove: z.boolean().optional(),
  /** Results of the base's tests; null if it has none. */
  base_tests: z.object({ tests: z.number(), failing: z.array(z.string()) }).nullable(),
});
export type GateAnswer = z.infer<typeof GateAnswer>;

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
    ...(judged.isCharacterizing ? { characterized: found } : {}),
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
