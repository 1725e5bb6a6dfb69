/** The base commit's own tests, run once for each commit, package, runner and environment (CORE-29). */
import { z } from "zod";
import { TestResult } from "../../evidence/test-result.ts";
import type { Suite } from "../../gates/suite.ts";
import { canonicalJson } from "../../lib/hash.ts";
import type { RecordDraft } from "./draft.ts";
import { mergeSuites, type PackageSuite } from "./merge.ts";
import { projectIn } from "./project.ts";
import { protectedHashes } from "./protected.ts";
import { inCheckout, runHashes, runTests, type ProofPackage, type ProofSetting } from "./setting.ts";
import { testFilesOf } from "./test-files.ts";

export interface Baseline {
  readonly suite: Suite;
  /** The runs, where they were not known already. */
  readonly drafts: readonly RecordDraft[];
}

export async function baselineOf(setting: ProofSetting, { fresh = false } = {}): Promise<Baseline> {
  const suites: PackageSuite[] = [];
  const drafts: RecordDraft[] = [];
  for (const one of setting.packages) {
    const alone = await packageBaseline({ ...setting, packages: [one] }, one, fresh);
    if (alone === null) continue;
    suites.push({ prefix: one.prefix, suite: alone.suite });
    drafts.push(...alone.drafts);
  }
  return { suite: mergeSuites(suites, setting.packages.length === 1), drafts };
}

/** Null where the package has no test on the base commit. */
async function packageBaseline(
  setting: ProofSetting,
  { prefix, inner, found, surroundings }: ProofPackage,
  fresh: boolean,
): Promise<Baseline | null> {
  const { base, ports, cache, rules } = setting;
  const own = await testFilesOf(projectIn(base, prefix, inner), rules, found.runner);
  if (own.length === 0) return null;
  const key = canonicalJson({
    baseline: 1,
    commit: base.commit,
    ...(prefix === "" ? {} : { package: prefix }),
    files: own,
    timeoutMs: ports.timeoutMs,
    runner: found.name,
    version: found.version,
    node: process.version,
    surroundings,
    arch: process.platform,
  });
  const known = fresh ? null : parseSuite(await cache.get(key));
  if (known !== null) return { suite: known, drafts: [] };
  const frozen = await protectedHashes(ports.repository, base, rules);
  const hashes = await runHashes(setting, base, frozen);
  ports.progress?.("running the base commit's own tests once");
  const tree = { files: [...base.files.values()] };
  const drafts: RecordDraft[] = [];
  const files = own.map((file) => `${prefix}${file}`);
  const { suite } = await inCheckout(setting, tree, (checkout) =>
    runTests(setting, { checkout, files, purpose: "baseline", of: base, hashes }, drafts),
  );
  // A machine at fault may be well again next time.
  if (suite.environment === null && suite.report.report) await cache.put(key, canonicalJson(suite));
  return { suite, drafts };
}

const StoredSuite = z.object({
  report: z.object({
    report: z.boolean(),
    tests: z.array(TestResult),
    loadErrors: z.array(z.object({ file: z.string(), message: z.string() })),
    problems: z.array(
      z.object({
        code: z.enum([
          "no_tests",
          "early_exit",
          "killed",
          "missing_file",
          "interrupted",
          "unhandled",
          "only",
          "no_assertion",
          "hook",
        ]),
        file: z.string().nullable(),
        message: z.string(),
      }),
    ),
  }),
  exitCode: z.number().nullable(),
  timedOut: z.boolean(),
  environment: z.string().nullable(),
});

function parseSuite(text: string | null): Suite | null {
  if (text === null) return null;
  const parsed = StoredSuite.safeParse(JSON.parse(text));
  return parsed.success ? parsed.data : null; // kept by an older version: run again
}
