/**
 * Starts a runner in a clean checkout with a clean environment plus the variables that the base commit's own test command
 * sets, in new folders for its output, and reads its report.
 */
import { lstat, mkdir, readdir, rm } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { pickVariables } from "../../config/env.ts";
import { longestTest, type RunnerFolders } from "../../evidence/runner.ts";
import { newId } from "../../lib/ids.ts";
import type { RunResult } from "../../process/run.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { childPaths } from "./child-processes.ts";
import { abortedBy, systemPath } from "./execute-command.ts";
import type { FoundRunner } from "../project/locate-runner.ts";
import type { ProofPorts } from "../ports.ts";
import { readsOf } from "./reads.ts";
import { startProgram } from "./start-program.ts";
import {
  noDifferences,
  nodeOptionsWith,
  variablesWith,
  type Differences,
} from "../surrounding/differences.ts";
import type { TestSetup } from "./test-setup.ts";
import { testLines } from "./test-lines.ts";
import { readPlainFile } from "../../lib/plain-file.ts";

export interface RunFolders extends RunnerFolders {
  /** Contains all the others except the cache. */
  readonly folder: string;
  readonly report: string;
  readonly counts: string;
  readonly temp: string;
}

/** New for each run: no output of an earlier run can pass for its report. */
export async function makeRunFolders({ scratch }: Checkout): Promise<RunFolders> {
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

/** Removes the output of a run, so that a later run in the same checkout cannot find it. */
export async function clear({ folder, counts }: RunFolders, kept: string | null): Promise<void> {
  const names = kept === null ? [] : await readdir(folder).catch(() => []); // removed already
  const parts = names.map((name) => join(folder, name)).filter((path) => path !== counts);
  // The end of the proof removes the whole checkout anyway.
  for (const path of kept === null ? [folder] : parts)
    await rm(path, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
}

export interface RunnerStart {
  readonly ports: ProofPorts;
  readonly checkout: Checkout;
  readonly found: FoundRunner;
  readonly setup: TestSetup;
  /** Absolute path of the package's folder in the checkout. */
  readonly project: string;
  readonly place: RunFolders;
  readonly differs?: Differences | undefined;
  /** The arguments after the runner's program. */
  argv(pythonPath: string): readonly string[];
}

export interface RunnerRun {
  readonly ran: RunResult;
  /** Both streams interleaved. */
  readonly output: string;
  readonly isolation: string;
  /** The program first. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Folder of V8's coverage, where the runner does not transform the source. */
  readonly counted: string | null;
}

export async function startRunner({
  ports,
  checkout,
  found,
  setup,
  project,
  place,
  differs = noDifferences,
  argv: ownArgv,
}: RunnerStart): Promise<RunnerRun> {
  const program = found.program?.path ?? ports.node;
  const children = await childPaths({
    ...ports,
    folder: place.folder,
    root: checkout.path,
    project,
    differs,
  });
  const { PYTHONPATH, ...given } = setup.env;
  const pythonPath = [children.python, ...(PYTHONPATH === undefined ? [] : [PYTHONPATH])].join(delimiter);
  const isOfNode = program === ports.node;
  const argv = [...(isOfNode ? setup.loaders : []), ...ownArgv(pythonPath)];
  // A loader may give node a text that differs from the source.
  const isPlain = isOfNode && found.entry === null && setup.loaders.length === 0;
  // Collected in every run, kept where it is read: a test must not be able to recognise the gate.
  const counted = isPlain ? place.counts : null;
  const clean = cleanEnv([dirname(program), dirname(ports.node), ...children.programs], place);
  const env = {
    ...variablesWith(differs, clean, place.cache),
    ...(found.runner.program === "python3" ? {} : { PYTHONPATH: pythonPath }),
    // Colours depend on the user's setting, which tests of programs can observe.
    ...pickVariables(ports.env ?? {}, ["NO_COLOR"]),
    ...given,
    ...found.runner.env,
    ...(found.runner.longestIn === undefined ? {} : { [found.runner.longestIn]: String(longestTest(ports)) }),
    ...found.program?.env,
    ...found.runner.envIn?.(place),
    ...(counted === null ? {} : { NODE_V8_COVERAGE: counted }),
    ...nodeOptionsWith(differs, given),
  };
  const options = { cwd: project, env, timeoutMs: ports.timeoutMs, ...abortedBy(ports), ...testLines(ports) };
  const ran = await startProgram(ports, {
    file: program,
    argv,
    options,
    checkout: checkout.path,
    place: place.folder,
    cache: place.cache,
    reads: [...(await readsOf(ports, checkout, found)), ...differs.reads],
  });
  return { ...ran, argv: [program, ...argv], env, counted };
}

function cleanEnv(programs: readonly string[], { home, temp }: RunFolders): Readonly<Record<string, string>> {
  const path = [...new Set(programs), systemPath].join(":");
  return { PATH: path, HOME: home, TMPDIR: temp, LANG: "C.UTF-8", CI: "1" };
}

/** Far more than any suite reports; code under test can write to the file. */
const maxReportBytes = 256 * 1024 * 1024;

/** Null where there is no file or one that cannot be a report; a missing report is a valid result. */
export async function reportAt(path: string): Promise<string | null> {
  const found = await lstat(path).catch(() => null); // none was written
  if (found === null || !found.isFile() || found.size > maxReportBytes) return null;
  return readPlainFile(path, maxReportBytes);
}

/** Replaces the checkout's paths, which only this proof sees, by those of the project. */
export function withoutCheckoutPath(text: string, { path }: Checkout): string {
  return text.replaceAll(`file://${path}/`, "").replaceAll(`${path}/`, "");
}

export async function textsOf(path: string, files: readonly string[]): Promise<ReadonlyMap<string, string>> {
  // A deleted file has no tests; its runner reports that.
  const read = async (file: string) => [file, (await readPlainFile(join(path, file))) ?? ""] as const;
  return new Map(await Promise.all(files.map(read)));
}
