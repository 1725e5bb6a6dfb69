export interface RunOptions {
  readonly cwd: string;
  /** The whole environment; nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** No output for this long ends it too. */
  readonly idleMs?: number;
  readonly input?: string | Uint8Array;
  /** Bytes kept of stdout and of stderr each (head and tail); the true length is counted. Default 8 MiB. */
  readonly keepBytes?: number;
  readonly signal?: AbortSignal;
  /** Called with each chunk as it arrives. */
  readonly onStdout?: (chunk: Buffer) => void;
  readonly onStderr?: (chunk: Buffer) => void;
}

export interface Ran {
  /** null when a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  readonly aborted: boolean;
  /** Set when it could not be started at all (ENOENT, EACCES …). */
  readonly failedToStart: string | null;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  readonly stdoutBytes: number;
  readonly stderrBytes: number;
  /** Milliseconds since the epoch. */
  readonly started: number;
  readonly ended: number;
}

/** Starts one program without a shell, owns its whole process tree, and resolves when all of it is gone. Never rejects. */
export declare function run(file: string, argv: readonly string[], options: RunOptions): Promise<Ran>;
