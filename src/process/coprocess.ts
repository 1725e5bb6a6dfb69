import { spawn } from "node:child_process";
import { Socket } from "node:net";

/**
 * A long-running program that answers requests. It ends when its standard input closes, and so with this process, however this
 * process ends. It keeps this process alive only while a caller waits for an answer.
 */
export interface Coprocess {
  write(text: string): void;
  /** Whether the program keeps this process alive. */
  setAwaited(isAwaited: boolean): void;
  /** Closes its standard input. */
  end(): void;
  kill(): void;
}

export interface CoprocessOptions {
  readonly cwd: string;
  /** The whole environment; nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly onOutput: (chunk: Buffer) => void;
  /** Called once, with the tail of standard error, or why the program could not be started. */
  readonly onEnd: (end: { readonly stderr: string; readonly failedToStart: string | null }) => void;
}

/** Starts a program without a shell. For programs that start no others. */
export function startCoprocess(file: string, argv: readonly string[], options: CoprocessOptions): Coprocess {
  const { cwd, env, onOutput, onEnd } = options;
  let stderr = "";
  let isOver = false;
  const finish = (failedToStart: string | null) => {
    if (isOver) return;
    isOver = true;
    onEnd({ stderr, failedToStart });
  };
  const child = spawn(file, argv, { cwd, env, shell: false, stdio: "pipe" });
  child.on("error", (error) => finish(error.message));
  child.on("close", () => finish(null));
  child.stdin.on("error", () => {}); // the program has ended; `close` reports it
  child.stdout.on("data", onOutput);
  child.stderr.on("data", (chunk: Buffer) => {
    stderr = (stderr + chunk.toString("utf8")).slice(-keptChars);
  });
  const handles = [child, child.stdin, child.stdout, child.stderr];
  return {
    write: (text) => void child.stdin.write(text),
    setAwaited(isAwaited) {
      for (const handle of handles)
        if (handle === child || handle instanceof Socket)
          (isAwaited ? handle.ref : handle.unref).call(handle);
    },
    end: () => void child.stdin.end(),
    kill: () => void child.kill("SIGKILL"),
  };
}

const keptChars = 4_000;
