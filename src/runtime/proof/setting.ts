/** What red, green and final proofs have in common: the project's runner and the base commit's own results. */
import { z } from "zod";
import { TestResult } from "../../evidence/test-result.ts";
import { noTests, type Suite } from "../../gates/suite.ts";
import type { PathRules } from "../../gates/paths.ts";
import { canonicalJson } from "../../lib/hash.ts";
import type { TreeFile } from "../../git/tree.ts";
import { isModule, withCheckout, type Checkout } from "./checkout.ts";
import { testFilesOf, type FoundRunner } from "./detect.ts";
import type { RecordDraft } from "./draft.ts";
import { executeTests, type Execution, type TestRun } from "./execute.ts";
import type { BaselineCache, ProofPorts } from "./ports.ts";
import type { Project } from "./project.ts";
import { configOf, protectedHashes, recordHashes } from "./protected.ts";

export interface ProofSetting {
  readonly ports: ProofPorts;
  readonly cache: BaselineCache;
  readonly rules: PathRules;
  readonly base: Project;
  readonly found: FoundRunner;
  /** The runner's configuration that the base commit has. */
  readonly config: string | null;
}

export async function proofSetting(setting: Omit<ProofSetting, "config">): Promise<ProofSetting> {
  return { ...setting, config: await configOf(setting.base, setting.found.name) };
}

export interface Baseline {
  readonly suite: Suite;
  /** The run, where it was not known already. */
  readonly drafts: readonly RecordDraft[];
}

/** The base commit's own tests, run once for each commit, runner and environment (CORE-29). */
export async function baselineOf(setting: ProofSetting, { fresh = false } = {}): Promise<Baseline> {
  const { base, found, ports, cache, rules } = setting;
  const files = await testFilesOf(base, rules, found.runner);
  if (files.length === 0) return { suite: noTests, drafts: [] };
  const environment = {
    runner: found.name,
    version: found.version,
    node: process.version,
    arch: process.platform,
  };
  const key = canonicalJson({
    baseline: 1,
    commit: base.commit,
    files,
    timeoutMs: ports.timeoutMs,
    ...environment,
  });
  const known = fresh ? null : parseSuite(await cache.get(key));
  if (known !== null) return { suite: known, drafts: [] };
  const hashes = await recordHashes(ports.repository, base, {
    config: setting.config,
    frozen: await protectedHashes(ports.repository, base, rules),
  });
  ports.progress?.("running the base commit's own tests once");
  const run = await withCheckout(
    {
      ports,
      key: `base-${base.commit.slice(0, 12)}`,
      files: [...base.files.values()],
      vendored: isVendored(base),
    },
    (checkout) =>
      executeTests({
        ...executionOf(setting, checkout),
        files,
        purpose: "baseline",
        commit: base.commit,
        tree: base.tree,
        hashes,
      }),
  );
  // A machine at fault may be well again next time.
  if (run.suite.environment === null && run.suite.report.report)
    await cache.put(key, canonicalJson(run.suite));
  return { suite: run.suite, drafts: [run.draft] };
}

export function executionOf(
  { ports, found, config }: ProofSetting,
  checkout: Checkout,
): Pick<Execution, "ports" | "found" | "config" | "checkout"> {
  return { ports, found, config, checkout };
}

/** A clean checkout of these files, with the dependencies of the main checkout unless the base commit holds its own. */
export function inCheckout<Value>(
  { ports, base }: ProofSetting,
  { key, files }: { readonly key: string; readonly files: readonly TreeFile[] },
  use: (checkout: Checkout) => Promise<Value>,
): Promise<Value> {
  return withCheckout({ ports, key, files, vendored: isVendored(base) }, use);
}

function isVendored(project: Project): boolean {
  return [...project.files.keys()].some(isModule);
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

/** Runs again only where an old test did not pass: an unstable one blocks nobody. */
export async function confirmed(
  first: TestRun,
  lost: readonly string[],
  again: () => Promise<TestRun>,
): Promise<TestRun | null> {
  return lost.length > 0 && first.suite.environment === null && first.suite.report.report ? again() : null;
}
