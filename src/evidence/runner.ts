import type { TestReport } from "./test-result.ts";

/** The program that starts a runner. Mettle looks for its absolute path outside the project, never inside. */
export type Toolchain = "node" | "python3" | "go" | "cargo" | "sh";

/** A test runner: how Mettle starts it and how it reads the report. One file per runner in `evidence/runners/`. Pure. */
export interface Runner {
  readonly name: string;
  /** The program that starts it; default node. */
  readonly program?: Exclude<Toolchain, "node">;
  /** The module that python3 must be able to import. */
  readonly module?: string;
  /** Its program may be a package of the project, which then has its version. */
  readonly isPackage?: boolean;
  /** The oldest supported version; older ones are refused. */
  readonly oldest?: string;
  /** The runner for a version with other options. */
  at?(version: string): Runner;
  /** Entry below the project, e.g. `node_modules/vitest/vitest.mjs`; null when the program or an asset is the runner. */
  readonly entry: string | null;
  /** File patterns (`**`, `*`; relative to the project) of test files, when settings name none. */
  readonly testFiles: readonly string[];
  /** Absolute paths of Mettle's files that the runner's process reads; a sandbox must provide them read-only. */
  readonly assets: readonly string[];
  /** Assets that must be copied into a folder `node_modules`. */
  readonly copied?: readonly string[];
  /** Name of the files that declare test targets. */
  readonly manifest?: string;
  /** Variables to add to the cleaned environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Its reporter takes `longestTest` from this variable and hides it from the tests. */
  readonly longestIn?: "METTLE_LONGEST_TEST";
  /** Variables that depend on the folders of the run. */
  envIn?(place: RunnerFolders): Readonly<Record<string, string>>;
  /** The argv after the program, built by Mettle alone; never a shell, never `npm test` (CORE-16). */
  argv(request: RunnerRequest): readonly string[];
  parse(output: RunnerOutput): TestReport;
  /** How it writes snapshots that are not stored, and compares the others; absent where Mettle lets it write none. */
  readonly newSnapshots?: NewSnapshots;
  /** The runner fails on a file without tests; other runners treat such a file as a helper. */
  readonly failsEmptyFiles?: boolean;
  /** Lists the files that hold tests. */
  readonly list?: Lister;
}

export interface NewSnapshots {
  readonly env: Readonly<Record<string, string>>;
  /** @param words the argv of a run that writes none */
  argv(words: readonly string[]): readonly string[];
}

/** Lists the test files under the project's own configuration. Runs no test and, where possible, loads no test file. */
export interface Lister {
  /** The runner expands file patterns itself; otherwise Mettle expands them as a shell does. */
  readonly takesPatterns?: boolean;
  /** Files of the project whose text `parse` needs. */
  reads?(path: string): boolean;
  /** Set if no file's content affects the list: the files whose names do. */
  listsByName?(path: string): boolean;
  /** The argv after the program. */
  argv(request: ListRequest): readonly string[];
  /** Null where the output is not a list. */
  parse(output: ListOutput): TestFileList | null;
}

export interface ListRequest extends Pick<RunnerRequest, "entry" | "project" | "config" | "pythonPath"> {
  /** Options and file patterns of the project's own test command. */
  readonly args: readonly string[];
  /** Absolute path outside the project for the list of a runner that also prints other output. */
  readonly report: string;
}

export interface ListOutput extends Pick<
  RunnerOutput,
  "exitCode" | "stdout" | "stderr" | "report" | "project"
> {
  /** The arguments of the request. */
  readonly args?: readonly string[];
  /** Text of the files that the lister reads, by project path. */
  readonly texts?: ReadonlyMap<string, string>;
}

export interface TestFileList {
  /** Relative to the project, with `/`. */
  readonly files: readonly string[];
  /** Patterns named by the configuration, as a person finds them there; empty where the runner does not list them. */
  readonly patterns: readonly string[];
}

/** Folders outside the project, created by Mettle. */
export interface RunnerFolders {
  /** Used by this run alone. */
  readonly home: string;
  /** Compiled output, shared only by the runs of one checkout. */
  readonly cache: string;
}

/** `tests.junit` of the settings. */
export interface JunitCommand {
  /** For `/bin/sh`; `{files}` are the test files, `{report}` is where a report may be written. */
  readonly command: string;
  /** File pattern of the reports that it writes into the project; default only `{report}`. */
  readonly reports?: string | undefined;
}

export interface RunnerRequest {
  /** Absolute path of the entry, or null. */
  readonly entry: string | null;
  /** Absolute path of the project without symbolic links; the working directory of the process. */
  readonly project: string;
  /** Test files relative to the project. go and cargo run the packages and targets that contain them. */
  readonly files: readonly string[];
  /** Absolute path of node, for runners of compiled tests: an asset of Mettle starts their binaries. */
  readonly node?: string;
  /** Text of the requested files. */
  readonly texts?: ReadonlyMap<string, string>;
  /** Text of the project's files with the name `manifest` of the runner. */
  readonly manifests?: ReadonlyMap<string, string>;
  /** Arguments of the project. They come before Mettle's own, so that Mettle's win. */
  readonly args?: readonly string[];
  /** How the settings start a runner that reports in XML of JUnit. */
  readonly junit?: JunitCommand;
  /** Folder of the files named in `copied`. */
  readonly copies?: string;
  /** The target triple that cargo builds for. */
  readonly target?: string;
  /** PYTHONPATH of the tests and their children. Python itself starts without it, so that no module hides the runner. */
  readonly pythonPath?: string;
  /** Absolute path outside the project for the report. */
  readonly report: string;
  /** Absolute path of the frozen config file, where the project needs its own; default the runner's asset. */
  readonly config?: string;
  readonly shuffle: boolean;
  /** Seed of the shuffled order, where the runner supports one. */
  readonly seed?: number;
  /** Deadline of the whole run. */
  readonly timeoutMs: number;
}

/** At most this long runs a single test; test-limit.mjs gives one that the project stops earlier less. */
export function longestTest({ timeoutMs }: Pick<RunnerRequest, "timeoutMs">): number {
  return Math.max(1, Math.floor(timeoutMs / 2));
}

export interface RunnerOutput {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Content of the report file; null when it does not exist. */
  readonly report: string | null;
  /** Absolute path of the project without symbolic links; ids are relative to it. */
  readonly project: string;
  /** Absolute path of the working folder below the project, where it is not the project itself. */
  readonly folder?: string;
  readonly files: readonly string[];
  /** Text of the requested files, for reports that name a test without its file. */
  readonly texts?: ReadonlyMap<string, string>;
}
