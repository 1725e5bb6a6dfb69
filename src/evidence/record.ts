import * as z from "zod";
import { refuseNewer } from "../lib/refuse-newer.ts";
import { TestResult } from "./test-result.ts";

/**
 * The record of each command executed as proof (CORE-40). Unknown values are null, never guessed. Signed and chained in
 * `evidence/chain.ts`; the EXECUTION_BLOCK is rendered from it alone.
 */
export const EvidenceRecord = z.object({
  version: z.literal(1),
  /** `<run>/<n>`, n from 1. */
  id: z.string(),
  run: z.string(),
  /** Key of the check command that requested it. */
  key: z.string(),
  phase: z.string().nullable(),
  /** `red`, `green`, `documents`, `final` … */
  purpose: z.string(),
  /** The command as a person types it, e.g. `mettle gate red …`; null when argv is the command. */
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
  /** Names of the variables in the cleaned environment, and a hash of their values. */
  env: z.object({ names: z.array(z.string()), hash: z.string() }),
  runner: z.object({ name: z.string(), version: z.string().nullable(), node: z.string() }).nullable(),
  isolation: z.string(),
  /** ISO 8601 UTC, and the machine's offset in minutes east of UTC. */
  started: z.string(),
  ended: z.string(),
  offsetMinutes: z.number(),
  exitCode: z.number().nullable(),
  signal: z.string().nullable(),
  timedOut: z.boolean(),
  /** Last lines of the output, masked and without control sequences. */
  lastLines: z.array(z.string()),
  /** Address of the full output in the payload store. */
  output: z.string(),
  tests: z.array(TestResult),
  required: z.array(z.string()),
  observed: z.array(z.string()),
  controls: z.record(z.string(), z.string()),
  verdict: z.enum(["pass", "fail", "inconclusive"]),
  reasons: z.array(z.string()),
  /** Ids of the records that this one contains, e.g. the test runs of a gate. */
  inner: z.array(z.string()),
  /** Hash of the previous envelope in the run's chain; null for the first. */
  previous: z.string().nullable(),
});
export type EvidenceRecord = z.infer<typeof EvidenceRecord>;

/** Parses a stored record. Ignores unknown fields; refuses a newer version. */
export function parseRecord(value: unknown): EvidenceRecord {
  refuseNewer(value, { what: "the evidence record", known: 1 });
  return EvidenceRecord.parse(value);
}
