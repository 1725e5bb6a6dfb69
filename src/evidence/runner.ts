import type { TestReport } from "./test-result.ts";

/** What starts a runner. The runtime finds its absolute path outside the project, never inside. */
export type Program = "node" | "python3" | "go" | "cargo";

/** One test runner: how the runtime starts it and what its report means. One file per runner in `evidence/runners/`. Pure. */
export interface Runner {
  readonly name: string;
  /** What starts it; node where nothing is said. */
  readonly program?: Exclude<Program, "node">;
  /** A module that python3 must be able to import, so that it is this runner. */
  readonly module?: string;
  /** The oldest version that can be judged; older ones are refused. */
  readonly oldest?: string;
  /** As it is for a version that needs something else. */
  at?(version: string): Runner;
  /** Entry below the project, resolved by the runtime: `node_modules/vitest/vitest.mjs`, or null when its program or an asset is the runner. */
  readonly entry: string | null;
  /** File patterns (`**`, `*`; relative to the project) that hold tests when settings name none. */
  readonly testFiles: readonly string[];
  /** Mettle's own files that the runner's process reads (absolute): a sandbox must show them, read-only. */
  readonly assets: readonly string[];
  /** Of the assets, those that must be read from a folder `node_modules`. */
  readonly copied?: readonly string[];
  /** Name of the files that say how targets are called. */
  readonly manifest?: string;
  /** Variables that the process needs beside the cleaned environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Variables that depend on where the run happens. */
  envIn?(place: RunPlace): Readonly<Record<string, string>>;
  /** The argv after the program, built by the runtime alone; never a shell, never `npm test` (CORE-16). */
  argv(request: RunnerRequest): readonly string[];
  parse(output: RunnerOutput): TestReport;
  /** It calls a file without tests a failure; elsewhere such a file is a helper. */
  readonly failsEmptyFiles?: boolean;
  /** How it is asked which files hold tests. */
  readonly list?: Lister;
}

/** Asks a runner which files hold tests under the project's own configuration. It runs no test and, where it can, loads no test file. */
export interface Lister {
  /** It understands patterns by itself; else they are replaced by the files that fit, as a shell does it. */
  readonly takesPatterns?: boolean;
  /** Files of the project whose text `parse` needs. */
  reads?(path: string): boolean;
  /** The argv after the program. */
  argv(request: ListRequest): readonly string[];
  /** Null where the output is no list. */
  parse(output: ListOutput): Listed | null;
}

export interface ListRequest extends Pick<RunnerRequest, "entry" | "project" | "config" | "pythonPath"> {
  /** What the project's own test command gives the runner: options, and patterns of files. */
  readonly args: readonly string[];
  /** Absolute path, outside the project, where the list is written by runners that print other things too. */
  readonly report: string;
}

export interface ListOutput extends Pick<
  RunnerOutput,
  "exitCode" | "stdout" | "stderr" | "report" | "project"
> {
  /** As they were asked with. */
  readonly args?: readonly string[];
  /** Text of the files that the lister reads, by their paths in the project. */
  readonly texts?: ReadonlyMap<string, string>;
}

export interface Listed {
  /** Relative to the project, with `/`. */
  readonly files: readonly string[];
  /** What the configuration names, as a person would find it there; empty where the runner does not say. */
  readonly patterns: readonly string[];
}

/** Folders outside the project, made by the runtime. */
export interface RunPlace {
  /** Of this run alone. */
  readonly home: string;
  /** Shared by the runs of one checkout and by nothing else: what was compiled. */
  readonly cache: string;
}

export interface RunnerRequest {
  /** Absolute path of the entry, or null. */
  readonly entry: string | null;
  /** Absolute path of the project, free of symbolic links; the process starts there. */
  readonly project: string;
  /** Test files relative to the project. go and cargo run the packages and targets that hold them. */
  readonly files: readonly string[];
  /** Absolute path of node, for runners of compiled tests, whose binaries are started by an asset of ours. */
  readonly node?: string;
  /** Text of the requested files. */
  readonly texts?: ReadonlyMap<string, string>;
  /** Text of the project's files that are called as the runner's `manifest`. */
  readonly manifests?: ReadonlyMap<string, string>;
  /** Of the project: they come before those of the runtime, so that these win. */
  readonly args?: readonly string[];
  /** Where the copies of `copied` are. */
  readonly copies?: string;
  /** The target triple that cargo builds for. */
  readonly target?: string;
  /** PYTHONPATH of the tests and their children: Python itself is started without, so that nothing hides the runner. */
  readonly pythonPath?: string;
  /** Absolute path, outside the project, where the report must be written. */
  readonly report: string;
  /** Absolute path of a frozen config file, where the project needs its own; otherwise the runner's asset is used. */
  readonly config?: string;
  readonly shuffle: boolean;
  /** Makes a shuffled order repeatable where the runner can. */
  readonly seed?: number;
  /** Deadline of the whole run; a single test is given half of it where the runner can limit one. */
  readonly timeoutMs: number;
}

export interface RunnerOutput {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Content of the report file, null when it does not exist. */
  readonly report: string | null;
  /** Absolute path of the project, free of symbolic links, to make ids relative. */
  readonly project: string;
  /** Absolute path of the folder below the project in which it ran, where that is not the project itself. */
  readonly folder?: string;
  readonly files: readonly string[];
  /** Text of the requested files, for reports that name a test and no file. */
  readonly texts?: ReadonlyMap<string, string>;
}
