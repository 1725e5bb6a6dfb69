import type { TestReport } from "./test-result.ts";

/** One test runner: how the runtime starts it and what its report means. One file per runner in `evidence/runners/`. Pure. */
export interface Runner {
  readonly name: string;
  /** Entry below the project, resolved by the runtime: `node_modules/vitest/vitest.mjs`, or null when node itself is the runner. */
  readonly entry: string | null;
  /** File patterns (`**`, `*`; relative to the project) that hold tests when settings name none. */
  readonly testFiles: readonly string[];
  /** Mettle's own files that the runner's process reads (absolute): a sandbox must show them, read-only. */
  readonly assets: readonly string[];
  /** Variables that the process needs beside the cleaned environment. */
  readonly env: Readonly<Record<string, string>>;
  /** The argv after `node`, built by the runtime alone; never a shell, never `npm test` (CORE-16). */
  argv(request: RunnerRequest): readonly string[];
  parse(output: RunnerOutput): TestReport;
}

export interface RunnerRequest {
  /** Absolute path of the entry, or null. */
  readonly entry: string | null;
  /** Absolute path of the project, free of symbolic links; the process starts there. */
  readonly project: string;
  /** Test files relative to the project. */
  readonly files: readonly string[];
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
  readonly files: readonly string[];
}
