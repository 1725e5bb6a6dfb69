/** Runs the base commit's own tests once per commit, package, runner and environment (CORE-29). */
import * as z from "zod";
import { TestResult } from "../../evidence/test-result.ts";
import { failsForItsProject, noTests, nothingPasses, type Suite } from "../../gates/suite/suite.ts";
import { canonicalJson } from "../../lib/hash.ts";
import type { RecordDraft } from "../draft.ts";
import { listTests } from "../execute/list-tests.ts";
import { isConfined } from "../execute/start-program.ts";
import { mergeSuites, type PackageSuite } from "../merge.ts";
import { protectedHashes } from "../protected.ts";
import type { ProofPackage, ProofSetting } from "../proof-package.ts";
import { inCheckout, runHashes, runTests } from "../setting.ts";

export interface Baseline {
  readonly suite: Suite;
  /** Records of the runs that were not cached. */
  readonly drafts: readonly RecordDraft[];
}

interface BaselineOptions {
  /** Ignore cached results. */
  readonly fresh?: boolean;
  /** The packages that the change affects, where others run too; an unusable base of the others does not matter. */
  readonly affected?: readonly Pick<ProofPackage, "prefix">[];
}

export async function baselineOf(setting: ProofSetting, options: BaselineOptions = {}): Promise<Baseline> {
  const { fresh = false, affected = setting.packages } = options;
  const parts = await packageBaselines(setting, fresh ? "nothing" : "all");
  const suites = parts.map(({ one: { prefix }, suite }): PackageSuite => ({ prefix, suite }));
  const suite = mergeSuites(suites, setting.packages.length === 1);
  const touched = new Set(affected.map(({ prefix }) => prefix));
  const unusable = parts
    .filter((part) => touched.has(part.one.prefix) && nothingPasses(part.suite))
    .map(({ one }) => folderOf(one));
  return {
    suite: unusable.length === 0 ? suite : { ...suite, unusable },
    drafts: parts.flatMap(({ drafts }) => drafts),
  };
}

export interface PackageBaseline extends Baseline {
  readonly one: ProofPackage;
  /** Its test files on the base, relative to the repository. */
  readonly files: readonly string[];
}

/** Which cached runs to use: all, none, or only those without failures. */
export type CacheUse = "all" | "well" | "nothing";

/** Baselines of each package with a test file on the base commit. */
export async function packageBaselines(
  setting: ProofSetting,
  trusted: CacheUse,
): Promise<readonly PackageBaseline[]> {
  const parts: PackageBaseline[] = [];
  for (const one of setting.packages) {
    const alone = await packageBaseline({ ...setting, packages: [one] }, one, trusted);
    if (alone.files.length > 0 || alone.suite.environment !== null) parts.push(alone);
  }
  return parts;
}

export function folderOf({ prefix }: Pick<ProofPackage, "prefix">): string {
  return prefix === "" ? "." : prefix.slice(0, -1);
}

async function packageBaseline(
  setting: ProofSetting,
  one: ProofPackage,
  trusted: CacheUse,
): Promise<PackageBaseline> {
  const { prefix, found, setup } = one;
  const { base, ports, cache, rules } = setting;
  const key = canonicalJson({
    baseline: 2,
    commit: base.commit,
    ...(prefix === "" ? {} : { package: prefix }),
    timeoutMs: ports.timeoutMs,
    runner: found.name,
    version: found.version,
    node: process.version,
    setup,
    tests: ports.tests ?? null,
    arch: process.platform,
    // A test that needs more than a sandbox allows passes only without one.
    ...((await isConfined(ports)) ? { isConfined: true } : {}),
  });
  const known = trusted === "nothing" ? null : parseKnown(await cache.get(key));
  if (known !== null && (trusted === "all" || hasNoFailures(known.suite)))
    return { one, ...known, drafts: [] };
  const frozen = await protectedHashes(ports.repository, base, rules);
  const hashes = await runHashes(setting, base, frozen);
  ports.progress?.("running the base commit's own tests once");
  const tree = { files: [...base.files.values()] };
  const drafts: RecordDraft[] = [];
  const { suite, files, doubt } = await inCheckout(setting, tree, async (checkout) => {
    const purpose = trusted === "nothing" ? "baseline.again" : "baseline";
    const list = await listTests(setting, { project: base, checkout, purpose }, drafts);
    if (list.files.length === 0) return { ...list, suite: { ...noTests, environment: list.doubt } };
    const run = { ...list, checkout, purpose, of: base, hashes };
    return { ...list, ...(await runTests(setting, run, drafts)) };
  });
  // A fault of the machine may be gone next time.
  if (suite.environment === null && suite.report.report && doubt === null)
    await cache.put(key, canonicalJson({ suite, files }));
  return { one, files, suite, drafts };
}

/** Whether a run had no failures; the cause of a failure may be gone by now. */
function hasNoFailures({ report, exitCode }: Suite): boolean {
  const isBroken = report.tests.some(failsForItsProject);
  const isTextual = report.problems.every(({ code }) => textProblems.has(code));
  return exitCode === 0 && !isBroken && report.loadErrors.length === 0 && isTextual;
}

/** Problems caused by the text of a test file, wherever it runs. */
const textProblems: ReadonlySet<string> = new Set(["no_tests", "no_assertion", "only"]);

const Stored = z.object({
  /** Relative to the repository. */
  files: z.array(z.string()),
  suite: z.object({
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
            "tests_not_executed",
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
  }),
});

function parseKnown(text: string | null): z.infer<typeof Stored> | null {
  if (text === null) return null;
  const parsed = Stored.safeParse(JSON.parse(text));
  return parsed.success ? parsed.data : null; // written by an older version: run again
}
