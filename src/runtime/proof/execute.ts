/**
 * Runs test files of one package in a clean checkout with the runner's own entry and an argv that the runtime built (CORE-16). The
 * environment is made from nothing and what the base commit's own test command sets; `.npmrc`, `.env`, `node_modules/.bin` and
 * PATH decide nothing.
 */
import { lstat, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { chosen } from "../../config/env.ts";
import type { RunPlace } from "../../evidence/runner.ts";
import type { TestReport } from "../../evidence/test-result.ts";
import { judge, type Suite } from "../../gates/suite.ts";
import { mask } from "../../lib/mask.ts";
import { newId } from "../../lib/ids.ts";
import type { Ran } from "../../process/run.ts";
import type { Checkout } from "./checkout.ts";
import { childPaths } from "./child-processes.ts";
import { draftOfRun, type RecordDraft } from "./draft.ts";
import { abortedBy, runTold, systemPath } from "./execute-command.ts";
import type { FoundRunner } from "./located-runner.ts";
import { prefixed } from "./merge.ts";
import type { ProofPorts } from "./ports.ts";
import type { Surroundings } from "./surroundings.ts";

export interface Execution {
  readonly ports: ProofPorts;
  readonly checkout: Checkout;
  readonly found: FoundRunner;
  /** Of the package; empty for the root. */
  readonly prefix: string;
  /** Test files of this package, relative to the checkout. */
  readonly files: readonly string[];
  readonly purpose: string;
  readonly commit: string;
  readonly tree: string;
  readonly hashes: RecordDraft["hashes"];
  /** The runner's configuration file in the package, where the base commit has one. */
  readonly config: string | null;
  readonly surroundings: Surroundings;
  readonly required?: readonly string[] | undefined;
  readonly shuffle?: boolean;
  /** Have V8 count what runs, where the runner leaves the source as it is. */
  readonly count?: boolean | undefined;
}

export interface TestRun {
  readonly ran: Ran;
  /** Folder of V8's counts. */
  readonly counts: string | null;
  readonly suite: Suite;
  readonly output: string;
  readonly draft: RecordDraft;
}

export async function executeTests(execution: Execution): Promise<TestRun> {
  const { ports, checkout, found, prefix, surroundings, required = [] } = execution;
  const project = join(checkout.path, prefix.slice(0, -1));
  const files = execution.files.map((file) => file.slice(prefix.length));
  const place = await makePlace(checkout);
  const program = found.program?.path ?? ports.node;
  // Read before the code under test can touch them.
  const texts = await textsOf(project, files);
  const children = await childPaths({ ...ports, folder: place.folder, root: checkout.path, project });
  const { PYTHONPATH, ...given } = surroundings.env;
  const pythonPath = [children.python, ...(PYTHONPATH === undefined ? [] : [PYTHONPATH])].join(delimiter);
  const own = found.runner.argv({
    entry: found.entry,
    project,
    files,
    node: ports.node,
    texts,
    ...(found.program?.target === undefined ? {} : { target: found.program.target }),
    pythonPath,
    args: surroundings.args,
    report: place.report,
    ...(execution.config === null ? {} : { config: join(project, execution.config) }),
    shuffle: execution.shuffle ?? false,
    seed: 1 + files.length,
    timeoutMs: ports.timeoutMs,
  });
  const isOfNode = program === ports.node;
  const argv = [...(isOfNode ? surroundings.loaders : []), ...own];
  // A loader may give node another text than the source.
  const isPlain = isOfNode && found.entry === null && surroundings.loaders.length === 0;
  // Asked for in every run, kept where they are read: a test must not see which gate asks.
  const counted = isPlain ? place.counts : null;
  const env = {
    ...cleanEnv([dirname(program), dirname(ports.node), ...children.programs], place),
    ...(found.runner.program === "python3" ? {} : { PYTHONPATH: pythonPath }),
    // Colours are the user's choice: tests of programs that print see the difference.
    ...chosen(ports.env ?? {}, ["NO_COLOR"]),
    ...given,
    ...found.runner.env,
    ...found.program?.env,
    ...found.runner.envIn?.(place),
    ...(counted === null ? {} : { NODE_V8_COVERAGE: counted }),
  };
  const where = prefix === "" ? "" : ` in ${prefix.slice(0, -1)}`;
  ports.progress?.(`running ${files.length} test files with ${found.name}${where}`);
  const options = { cwd: project, env, timeoutMs: ports.timeoutMs, ...abortedBy(ports) };
  const { ran, output: raw } = await runTold(program, argv, options);
  const secrets = [...ports.secrets, ...surroundings.secrets];
  const written = await reportAt(place.report);
  const text = written === null ? null : mask(written, secrets);
  const output = mask(shortened(raw, checkout), secrets);
  const said = {
    exitCode: ran.exitCode,
    stdout: mask(ran.stdout.toString("utf8"), secrets),
    stderr: mask(ran.stderr.toString("utf8"), secrets),
    report: text,
    ...(found.program === null ? {} : { texts }),
  };
  // Runners of node tell absolute paths, so that a frame in another package is told as well.
  const parsed =
    found.program === null
      ? found.runner.parse({ ...said, project: checkout.path, folder: project, files: execution.files })
      : prefixed(found.runner.parse({ ...said, project, files }), prefix);
  const report = shortReport(parsed, checkout);
  const suite: Suite = {
    report,
    exitCode: ran.exitCode,
    timedOut: ran.timedOut,
    environment: await machineFault({ ran, place, output, reported: report.report }),
  };
  const counts = execution.count === true ? counted : null;
  await clear(place, counts);
  const started = { ...execution, argv: [program, ...argv], cwd: project, env };
  const draft = await draftOfRun(ports, started, ran, output);
  return { ran, counts, suite, output, draft: { ...draft, ...judged(suite, required, execution) } };
}

/** Far beyond what any suite reports; the code under test can reach the file. */
const mostReported = 256 * 1024 * 1024;

/** Null where there is none, or nothing that could be one: no report is an answer. */
async function reportAt(path: string): Promise<string | null> {
  const found = await lstat(path).catch(() => null); // none was written
  if (found === null || !found.isFile() || found.size > mostReported) return null;
  return readFile(path, "utf8").catch(() => null); // not ours to read
}

/** Nobody but this proof sees the checkout, so paths are told as they are in the project. */
function shortened(text: string, { path }: Checkout): string {
  return text.replaceAll(`file://${path}/`, "").replaceAll(`${path}/`, "");
}

function shortReport(report: TestReport, checkout: Checkout): TestReport {
  const short = <Told extends { readonly message: string }>(told: Told): Told => ({
    ...told,
    message: shortened(told.message, checkout),
  });
  const { tests, loadErrors, problems } = report;
  return {
    ...report,
    tests: tests.map(short),
    loadErrors: loadErrors.map(short),
    problems: problems.map(short),
  };
}

async function textsOf(path: string, files: readonly string[]): Promise<ReadonlyMap<string, string>> {
  // A file that is gone has no tests; its runner says so.
  const read = async (file: string) =>
    [file, await readFile(join(path, file), "utf8").catch(() => "")] as const;
  return new Map(await Promise.all(files.map(read)));
}

interface Place extends RunPlace {
  /** Holds the others, but for the cache. */
  readonly folder: string;
  readonly report: string;
  readonly counts: string;
  readonly temp: string;
}

/** Fresh for each run: nothing of an earlier run can be taken for this one's report. */
async function makePlace({ scratch }: Checkout): Promise<Place> {
  const folder = join(scratch, newId(12));
  const place = {
    folder,
    report: join(folder, "report", "report.json"),
    home: join(folder, "home"),
    temp: join(folder, "tmp"),
    counts: join(folder, "counts"),
    cache: join(scratch, "cache"),
  };
  for (const path of [dirname(place.report), place.home, place.temp, place.cache])
    await mkdir(path, { recursive: true });
  return place;
}

/** A later run in the same checkout finds nothing of this one. */
async function clear({ folder, counts }: Place, kept: string | null): Promise<void> {
  const names = kept === null ? [] : await readdir(folder).catch(() => []); // gone already
  const parts = names.map((name) => join(folder, name)).filter((path) => path !== counts);
  // The whole checkout goes at the end of the proof in any case.
  for (const path of kept === null ? [folder] : parts)
    await rm(path, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
}

function cleanEnv(programs: readonly string[], { home, temp }: Place): Readonly<Record<string, string>> {
  const path = [...new Set(programs), systemPath].join(":");
  return { PATH: path, HOME: home, TMPDIR: temp, LANG: "C.UTF-8", CI: "1" };
}

interface Fault {
  readonly ran: Ran;
  readonly place: Place;
  readonly output: string;
  readonly reported: boolean;
}

/** Why the machine, and not the code, is to blame that nothing can be said (CORE-14). */
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

function judged(suite: Suite, required: readonly string[], { found, ports, hashes }: Execution) {
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
