/**
 * Runs test files of one package in a clean checkout with the runner's own entry and an argv that Mettle builds (CORE-16).
 * The environment contains only defaults and the variables that the base commit's own test command sets; `.npmrc`, `.env`,
 * `node_modules/.bin` and PATH have no effect.
 */
import { counted } from "../../lib/counted.ts";
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Runner } from "../../evidence/runner.ts";
import type { TestProblem, TestReport } from "../../evidence/test-result.ts";
import { mayImport } from "../../source/loaded-files.ts";
import { matchesAny } from "../../source/paths.ts";
import { judge, type Suite } from "../../gates/suite/suite.ts";
import { countTestsIn } from "../../source/test-marks.ts";
import { mask } from "../../lib/mask.ts";
import type { RunResult } from "../../process/run.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { draftOfRun, type RecordDraft } from "../draft.ts";
import type { FoundRunner } from "../project/locate-runner.ts";
import { withPrefix } from "../merge.ts";
import type { ProofPorts } from "../ports.ts";
import { projectAt, type Project } from "../project/project.ts";
import type { Differences } from "../surrounding/differences.ts";
import { missingDependency } from "./missing-dependency.ts";
import {
  clear,
  makeRunFolders,
  reportAt,
  withoutCheckoutPath,
  startRunner,
  textsOf,
  type RunFolders,
} from "./start-runner.ts";
import type { TestSetup } from "./test-setup.ts";
import { withoutRunPaths } from "./without-run-paths.ts";

export interface Execution {
  readonly ports: ProofPorts;
  readonly checkout: Checkout;
  readonly found: FoundRunner;
  /** Prefix of the package; empty for the root. */
  readonly prefix: string;
  /** Test files of this package, relative to the checkout. */
  readonly files: readonly string[];
  readonly purpose: string;
  readonly commit: string;
  readonly tree: string;
  readonly hashes: RecordDraft["hashes"];
  /** The runner's configuration file in the package, where the base commit has one. */
  readonly config: string | null;
  readonly setup: TestSetup;
  readonly required?: readonly string[] | undefined;
  readonly shuffle?: boolean;
  /** The base, whose own missing dependencies are no fault of the environment; null for a run of the base itself. */
  readonly base: Pick<Project, "files" | "texts"> | null;
  /** What of the surrounding differs from that of other runs. */
  readonly differs?: Differences | undefined;
  /** Collect V8 coverage, where the runner does not transform the source. */
  readonly count?: boolean | undefined;
}

export interface TestRun {
  readonly ran: RunResult;
  /** Folder of V8's coverage. */
  readonly counts: string | null;
  readonly suite: Suite;
  readonly output: string;
  readonly draft: RecordDraft;
}

export async function executeTests(execution: Execution): Promise<TestRun> {
  const { ports, checkout, found, prefix, setup, differs, required = [] } = execution;
  const project = join(checkout.path, prefix.slice(0, -1));
  const files = execution.files.map((file) => file.slice(prefix.length));
  const place = await makeRunFolders(checkout);
  // Read before the code under test can change them.
  const texts = await textsOf(project, files);
  const copies = await copyAssets(found.runner, place);
  const named = checkout.files.filter(
    (path) => path.startsWith(prefix) && basename(path) === found.runner.manifest,
  );
  const manifests = await textsOf(
    project,
    named.map((path) => path.slice(prefix.length)),
  );
  const argv = (pythonPath: string) =>
    found.runner.argv({
      ...copies,
      entry: found.entry,
      project,
      files,
      node: ports.node,
      texts,
      manifests,
      ...(found.program?.target === undefined ? {} : { target: found.program.target }),
      pythonPath,
      args: setup.args,
      ...(setup.junit === undefined ? {} : { junit: setup.junit }),
      report: place.report,
      ...(execution.config === null ? {} : { config: join(project, execution.config) }),
      shuffle: execution.shuffle ?? false,
      seed: 1 + files.length,
      timeoutMs: ports.timeoutMs,
    });
  const where = prefix === "" ? "" : ` in ${prefix.slice(0, -1)}`;
  ports.progress?.(`running ${counted(files.length, "test file")} with ${found.name}${where}`);
  const started = await startRunner({ ports, checkout, found, setup, project, place, differs, argv });
  const { ran } = started;
  const secrets = [...ports.secrets, ...setup.secrets];
  const written = await reportAt(place.report);
  const text = written === null ? null : mask(written, secrets);
  const output = mask(withoutCheckoutPath(started.output, checkout), secrets);
  const runnerOutput = {
    exitCode: ran.exitCode,
    stdout: mask(ran.stdout.toString("utf8"), secrets),
    stderr: mask(ran.stderr.toString("utf8"), secrets),
    report: text,
    // The test ids use the names that the runner gets below.
    texts: found.program === null ? prefixedTexts(texts, prefix) : texts,
  };
  // Runners of node report absolute paths, so frames in other packages are kept.
  const parsed =
    found.program === null
      ? found.runner.parse({
          ...runnerOutput,
          project: checkout.path,
          folder: project,
          files: execution.files,
        })
      : withPrefix(found.runner.parse({ ...runnerOutput, project, files }), prefix);
  const isHelper = (file: string) => isHelperOf(texts, file.slice(prefix.length), found.runner);
  const own = found.runner.failsEmptyFiles === true ? parsed : withoutHelpers(parsed, isHelper);
  const report = withoutRunPaths(own, checkout, place);
  const judged = { report, exitCode: ran.exitCode, timedOut: ran.timedOut };
  const fault = await machineFault({ ran, place, output, reported: report.report });
  const { base } = execution;
  const head = () => projectAt(ports.repository, execution.commit);
  const missing = base === null ? null : await missingDependency({ report, checkout, prefix, base, head });
  const suite: Suite = { ...judged, environment: fault ?? missing };
  const counts = execution.count === true ? started.counted : null;
  await clear(place, counts);
  const { argv: words, env, isolation } = started;
  const ended = { ...execution, argv: words, cwd: project, env, isolation };
  const draft = await draftOfRun(ports, ended, ran, output);
  return { ran, counts, suite, output, draft: { ...draft, ...recordVerdict(suite, required, execution) } };
}

/**
 * Whether a file defines no test, and is not named like one or is imported by one (PRV-22). A test file that contains no test is
 * its author's mistake.
 */
function isHelperOf(texts: ReadonlyMap<string, string>, file: string, { testFiles }: Runner): boolean {
  if (countTestsIn({ path: file, text: texts.get(file) ?? "" }) > 0) return false;
  return (
    !matchesAny(file, testFiles) ||
    [...texts].some(([path, text]) => path !== file && mayImport(path, text, file))
  );
}

/** Drops the problem of a file that the runner runs like a test but in which no test is defined: a helper. */
function withoutHelpers(report: TestReport, isHelper: (file: string) => boolean): TestReport {
  const isEmpty = ({ code, file }: TestProblem) => code === "no_tests" && file !== null && isHelper(file);
  return { ...report, problems: report.problems.filter((problem) => !isEmpty(problem)) };
}

async function copyAssets(
  { copied = [] }: Runner,
  { folder }: RunFolders,
): Promise<{ readonly copies?: string }> {
  if (copied.length === 0) return {};
  const copies = join(folder, "node_modules", "mettle");
  await mkdir(copies, { recursive: true });
  for (const file of copied) await copyFile(file, join(copies, basename(file)));
  return { copies };
}

function prefixedTexts(texts: ReadonlyMap<string, string>, prefix: string): ReadonlyMap<string, string> {
  return new Map([...texts].map(([path, text]) => [`${prefix}${path}`, text]));
}

interface Fault {
  readonly ran: RunResult;
  readonly place: RunFolders;
  readonly output: string;
  readonly reported: boolean;
}

/** A fault of the machine, not the code, that prevents a judgement (CORE-14). */
async function machineFault({ ran, place, output, reported }: Fault): Promise<string | null> {
  if (ran.failedToStart !== null) return `the runner could not be started: ${ran.failedToStart}`;
  if (ran.aborted) return "the run was stopped";
  if (reported) return null;
  try {
    await writeFile(join(dirname(place.report), "probe"), Buffer.alloc(64 * 1024));
  } catch (error) {
    return `no report can be written: ${error instanceof Error ? error.message : String(error)}`;
  }
  return /\bENOSPC\b|no space left on device/i.test(output)
    ? "no report was written: no space left on device"
    : null;
}

function recordVerdict(suite: Suite, required: readonly string[], { found, ports, hashes }: Execution) {
  const { verdict, reasons } = judge(suite, required);
  return {
    hashes,
    runner: { name: found.name, version: found.version, node: nodeVersion(ports) },
    tests: [...suite.report.tests],
    required: [...required],
    observed: suite.report.tests.map((test) => test.id),
    verdict: suite.environment === null ? verdict : ("inconclusive" as const),
    reasons: suite.environment === null ? [...reasons] : [suite.environment],
  };
}

function nodeVersion({ node }: ProofPorts): string {
  return node === process.execPath ? process.version : "unknown";
}
