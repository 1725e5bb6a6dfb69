import { spawn } from "node:child_process";
import { Socket } from "node:net";

/**
 * A program that stays and answers what is written to it. It is bound to its standard input: that ends with this process,
 * however this process ends, and the program with it. It does not keep this process alive while nobody waits for it.
 */
export interface Coprocess {
  write(text: string): void;
  /** Whether this process stays for its answer. */
  setAwaited(isAwaited: boolean): void;
  /** Lets it end by itself. */
  end(): void;
  kill(): void;
}

export interface CoprocessOptions {
  readonly cwd: string;
  /** The whole environment; nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly onOutput: (chunk: Buffer) => void;
  /** Called once, with the end of what it printed to stderr, or why it could not be started. */
  readonly onEnd: (end: { readonly stderr: string; readonly failedToStart: string | null }) => void;
}

/** Without a shell, for programs that start no others. */
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
  child.stdin.on("error", () => {}); // it has ended, which is heard too
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
