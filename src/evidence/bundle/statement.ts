/** What a bundle states about its records, signed with the same key. */
import * as z from "zod";

const Place = z.object({ commit: z.string(), tree: z.string() });

const Verdict = z.enum(["pass", "fail", "inconclusive"]);

export const Statement = z.object({
  version: z.literal(1),
  /** Id of the run, or of the gate. */
  run: z.string(),
  /** `run`, or the command that judged two commits. */
  made: z.enum(["run", "prove", "red", "green", "refactor", "merge", "final"]),
  base: Place,
  /** The commit of the frozen tests; for `prove` it is composed of base and head, and in no repository. */
  red: Place.nullable(),
  /** The proved commit; null in a run without one. */
  head: Place.nullable(),
  /** Ids of the required tests. */
  required: z.array(z.string()),
  /** Ids of tests whose faults a person accepted. */
  accepted: z.array(z.string()),
  /** Ids of criteria; null where they were not checked. */
  criteria: z.array(z.string()).nullable(),
  /** Record of a RED -> the files that it stubbed, in alternatives of which one is right. */
  planned: z.record(z.string(), z.array(z.array(z.string()))),
  /** The settings that decide how tests are found and run. */
  settings: z.object({
    paths: z.unknown(),
    tests: z.unknown(),
    runner: z.unknown(),
    packages: z.unknown(),
    /** The controls; bundles before this field have none. */
    proof: z.unknown().optional(),
  }),
  /** The records as the journal lists them, in order. */
  records: z.array(
    z.object({
      id: z.string(),
      key: z.string(),
      phase: z.string().nullable(),
      purpose: z.string(),
      verdict: Verdict,
      exitCode: z.number().nullable(),
      commit: z.string().nullable(),
      tree: z.string().nullable(),
      envelope: z.string(),
    }),
  ),
  completed: z.array(z.object({ phase: z.string(), record: z.string() })),
  reserved: z.array(z.string()),
  /**
   * The workers whose keys signed the records, if another key than that of the bundle is among them: only in version 2 of a bundle. The
   * key is DER (SPKI) in base64. The names are those of the register of the shared store.
   */
  signers: z.array(z.object({ worker: z.string(), key: z.string() })).optional(),
  /** Texts that were shown to a person, each with the record whose block it contains. */
  shown: z.array(z.object({ record: z.string(), text: z.string() })),
});
export type Statement = z.infer<typeof Statement>;

/** The fields of a journaled record that a statement lists. */
export function listed(written: Statement["records"][number]): Statement["records"][number] {
  const { id, key, phase, purpose, verdict, exitCode, commit, tree, envelope } = written;
  return { id, key, phase, purpose, verdict, exitCode, commit, tree, envelope };
}
