/** Shared by all proofs: the packages' runners, and their runs combined into one. */
import { isRunOfBase } from "../evidence/judged-runs.ts";
import type { ProofSetting } from "./proof-package.ts";
import { join } from "node:path";
import type { Hashes } from "../gates/suite/frozen.ts";
import type { Suite } from "../gates/suite/suite.ts";
import type { TreeFile } from "../git/objects/tree.ts";
import { withCheckout, type Checkout } from "./checkout/checkout.ts";
import { moduleFolder } from "./checkout/link-modules.ts";
import { refuseChangedDependencies } from "./checkout/changed-dependencies.ts";
import type { RecordDraft } from "./draft.ts";
import { prepareOnce, unpreparedSuite } from "./execute/prepare.ts";
import { executeTests, type Execution, type TestRun } from "./execute/execute.ts";
import { mergeSuites } from "./merge.ts";
import type { Package } from "./project/packages.ts";
import { projectIn, type Project } from "./project/project.ts";
import { configOf, recordHashes } from "./protected.ts";
import { testSetupOf } from "./execute/test-setup.ts";

export async function proofSetting(
  setting: Omit<ProofSetting, "packages"> & { readonly packages: readonly Package[] },
): Promise<ProofSetting> {
  const packages = setting.packages.map(async (one) => {
    const setup = await testSetupOf({ ...setting, prefix: one.prefix, runner: one.found.name });
    const named = setup.config;
    const isThere = named !== null && setting.base.files.has(join(one.prefix, named));
    const found = configOf(projectIn(setting.base, one.prefix, one.inner), one.found.name);
    return { ...one, setup, config: isThere ? named : await found };
  });
  return { ...setting, packages: await Promise.all(packages) };
}

export function owns({ prefix, inner }: Pick<Package, "prefix" | "inner">, path: string): boolean {
  return path.startsWith(prefix) && !inner.some((other) => path.startsWith(other));
}

/** Hashes of the files that decided the runs at one commit, by package. */
export interface RunHashes {
  /** Hashes in the gate's own record. With several packages they contain no runner configuration. */
  readonly gate: RecordDraft["hashes"];
  of(prefix: string): RecordDraft["hashes"];
}

export async function runHashes(
  { ports, packages }: ProofSetting,
  project: Project,
  frozen: Hashes | null,
): Promise<RunHashes> {
  const found = await Promise.all(
    packages.map(async ({ prefix, config }) => {
      const path = config === null ? null : join(prefix, config);
      return [prefix, await recordHashes(ports.repository, project, { config: path, frozen })] as const;
    }),
  );
  const all = new Map(found);
  const none = await recordHashes(ports.repository, project, { config: null, frozen });
  const [first, ...others] = all.values();
  return {
    gate: first !== undefined && others.length === 0 ? first : none,
    of: (prefix) => all.get(prefix) ?? none,
  };
}

export interface SuiteRequest extends Pick<
  Execution,
  "checkout" | "files" | "purpose" | "required" | "shuffle" | "differs" | "count"
> {
  /** The commit under test. */
  readonly of: Pick<Project, "commit" | "tree">;
  readonly hashes: RunHashes;
  /** Why the list of files may be incomplete. */
  readonly doubt?: string | null;
}

export interface SuiteRun {
  readonly suite: Suite;
  /** One per package that contains some of the files. */
  readonly runs: readonly TestRun[];
}

/** Runs test files with the runner of their package. Every run is recorded, even if a later one throws. */
export async function runTests(
  setting: ProofSetting,
  { of, hashes, files, required = [], doubt = null, ...request }: SuiteRequest,
  made: RecordDraft[],
): Promise<SuiteRun> {
  const { ports, packages, base } = setting;
  const failure = await prepareOnce(setting, { ...request, of }, made);
  if (failure !== null) {
    const isOfMachine = await failsOnBase(setting, request.purpose, made);
    return { suite: unpreparedSuite(failure, { isOfMachine, files }), runs: [] };
  }
  const runs: { readonly prefix: string; readonly run: TestRun }[] = [];
  for (const one of packages) {
    const { prefix, found, config, setup } = one;
    const own = files.filter((file) => owns(one, file));
    if (own.length === 0) continue;
    const run = await executeTests({
      ...request,
      ports,
      prefix,
      found,
      config,
      setup,
      files: own,
      commit: of.commit,
      tree: of.tree,
      hashes: hashes.of(prefix),
      required: required.filter((id) => owns(one, id)),
      base: isRunOfBase(request.purpose) ? null : base,
    });
    made.push(run.draft);
    runs.push({ prefix, run });
  }
  const suites = runs.map(({ prefix, run }) => ({ prefix, suite: run.suite }));
  const unjudged = packages.flatMap(({ setup }) => setup.unjudged);
  const suite = {
    ...mergeSuites(suites, packages.length === 1),
    ...(unjudged.length === 0 ? {} : { unjudged }),
  };
  return { suite: doubt === null ? suite : withDoubt(suite, doubt), runs: runs.map(({ run }) => run) };
}

/**
 * Whether the commands that prepare a checkout fail on the base too, now. Then the machine is at fault, e.g. an
 * unreachable registry, and not the change (CORE-45).
 */
async function failsOnBase(setting: ProofSetting, purpose: string, made: RecordDraft[]): Promise<boolean> {
  const { base } = setting;
  if (isRunOfBase(purpose)) return true;
  return inCheckout(setting, { files: [...base.files.values()] }, async (checkout) => {
    const failure = await prepareOnce(setting, { checkout, of: base, purpose }, made);
    return failure !== null;
  });
}

function withDoubt(suite: Suite, message: string): Suite {
  const { report } = suite;
  const problem = { code: "tests_not_executed", file: null, message } as const;
  return { ...suite, report: { ...report, problems: [...report.problems, problem] } };
}

/** Makes a clean checkout of these files with the main checkout's dependencies, unless the base commit contains its own. */
export function inCheckout<Value>(
  { ports, base, packages }: ProofSetting,
  { files, isElsewhere = false }: { readonly files: readonly TreeFile[]; readonly isElsewhere?: boolean },
  use: (checkout: Checkout) => Promise<Value>,
): Promise<Value> {
  return withCheckout({ ports, files, committed: committedModules(base), isElsewhere }, async (checkout) => {
    const runners = packages.map(({ found }) => found);
    // It takes no time of its own: the runs have begun meanwhile.
    const [result, unchanged] = await Promise.allSettled([
      use(checkout),
      refuseChangedDependencies(ports, checkout, runners),
    ]);
    if (unchanged.status === "rejected") throw unchanged.reason;
    if (result.status === "rejected") throw result.reason;
    return result.value;
  });
}

/** Its `node_modules` folders: its dependencies, or test data. */
export function committedModules({ files }: Project): ReadonlySet<string> {
  return new Set([...files.keys()].flatMap((path) => moduleFolder(path) ?? []));
}

/** Runs again only when an old test did not pass: a flaky one must not block anyone. */
export async function confirmRun(
  first: SuiteRun,
  lost: readonly string[],
  again: () => Promise<SuiteRun>,
): Promise<SuiteRun | null> {
  return lost.length > 0 && first.suite.environment === null && first.suite.report.report ? again() : null;
}
