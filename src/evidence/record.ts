import { z } from "zod";
import { refuseNewer } from "../lib/newer.ts";
import { TestResult } from "./test-result.ts";

/**
 * What the runtime writes for each command it executed as proof (CORE-40). Nothing is guessed: unknown is null.
 * Signed and chained in `evidence/chain.ts`; the EXECUTION_BLOCK is rendered from it and from nothing else.
 */
export const EvidenceRecord = z.object({
  version: z.literal(1),
  /** `<run>/<n>`, n from 1. */
  id: z.string(),
  run: z.string(),
  /** Key of the check command that asked for it. */
  key: z.string(),
  phase: z.string().nullable(),
  /** `red`, `green`, `documents`, `final` … */
  purpose: z.string(),
  /** The command as a person may type it, e.g. `mettle gate red …`; null when it is argv itself. */
  title: z.string().nullable(),
  argv: z.array(z.string()),
  cwd: z.string(),
  commit: z.string().nullable(),
  tree: z.string().nullable(),
  hashes: z.object({
    /** path -> sha256 of the frozen files. */
    protected: z.record(z.string(), z.string()).nullable(),
    config: z.string().nullable(),
    lockfile: z.string().nullable(),
  }),
  /** Names of the variables of the cleaned environment, and a hash of their values. */
  env: z.object({ names: z.array(z.string()), hash: z.string() }),
  runner: z.object({ name: z.string(), version: z.string().nullable(), node: z.string() }).nullable(),
  isolation: z.string(),
  /** ISO 8601 UTC, and minutes east of UTC of the machine. */
  started: z.string(),
  ended: z.string(),
  offsetMinutes: z.number(),
  exitCode: z.number().nullable(),
  signal: z.string().nullable(),
  timedOut: z.boolean(),
  /** Last lines of the output, masked and cleaned of control sequences. */
  lastLines: z.array(z.string()),
  /** Address of the full output in the payload store. */
  output: z.string(),
  tests: z.array(TestResult),
  required: z.array(z.string()),
  observed: z.array(z.string()),
  controls: z.record(z.string(), z.string()),
  verdict: z.enum(["pass", "fail", "inconclusive"]),
  reasons: z.array(z.string()),
  /** Ids of records this one contains, e.g. the test runs inside a gate. */
  inner: z.array(z.string()),
  /** Hash of the envelope before it in the run's chain, null for the first. */
  previous: z.string().nullable(),
});
export type EvidenceRecord = z.infer<typeof EvidenceRecord>;

/** A stored record; fields that this version does not know are passed over, a newer version is refused. */
export function parseRecord(value: unknown): EvidenceRecord {
  refuseNewer(value, { what: "the evidence record", known: 1 });
  return EvidenceRecord.parse(value);
}
