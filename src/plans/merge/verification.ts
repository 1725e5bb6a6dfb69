/** The result of testing a merged tree, and the chain of its records. */
import { join } from "node:path";
import * as z from "zod";
import { parseJson } from "../../lib/json.ts";
import { yamlError } from "../../lib/yaml/yaml-document.ts";
import { withLock } from "../lock.ts";
import type { PlanLocation } from "../find-plan.ts";
import { writePlanFile } from "../write.ts";
import { readText } from "../gates/gate-files.ts";

/** Port: tests a merged commit; null if the project has no test runner. */
export type Verify = (merge: MergeToVerify) => Promise<VerificationResult | null>;

export interface MergeToVerify {
  /** The feature branch before the merge. */
  readonly from: string;
  /** The prompt's branch. */
  readonly head: string;
  readonly merged: string;
}

export interface VerificationResult {
  readonly verdict: "pass" | "fail" | "inconclusive";
  readonly reasons: readonly string[];
  /** Appends the records of the test run to the chain and signs them. */
  readonly seal: (chain: {
    readonly run: string;
    readonly records: readonly PlanRecord[];
  }) => Promise<readonly PlanRecord[]>;
}

const PlanRecord = z.object({
  id: z.string(),
  ref: z.string(),
  envelope: z.string(),
  purpose: z.string(),
  verdict: z.string(),
});
export type PlanRecord = z.infer<typeof PlanRecord>;

export interface MergeVerification {
  readonly verdict: VerificationResult["verdict"];
  /** Address of the summary record, which `mettle show` prints. */
  readonly record: string;
}

/** The note beside `verification: null`. */
export const unverified = "UNVERIFIED: no test runner was found, so nothing was executed";

/** Each plan has one chain of records, in `records.json`. */
export async function recordVerification(
  plan: PlanLocation,
  { verdict, seal }: VerificationResult,
): Promise<MergeVerification> {
  return withLock(join(plan.dir, ".records.lock"), async () => {
    const before = await readRecords(plan);
    const sealed = await seal({ run: `envoy:${plan.branch}`, records: before });
    await writePlanFile(plan.dir, "records.json", `${JSON.stringify([...before, ...sealed], null, 2)}\n`);
    return { verdict, record: sealed.at(-1)?.ref ?? "" };
  });
}

export async function readRecords({ dir }: PlanLocation): Promise<readonly PlanRecord[]> {
  const file = join(dir, "records.json");
  const parsed = z.array(PlanRecord).safeParse(parseJson((await readText(file)) ?? "[]"));
  if (parsed.success) return parsed.data;
  const message = "the chain of records cannot be read";
  throw yamlError("invalid_schema", [{ file, line: 1, column: 1, path: [], message }]);
}
