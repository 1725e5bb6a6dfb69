/** Starts a program as a person's shell does, without the marks that `run` of `src/process` adds. */
import { spawn } from "node:child_process";

export interface AsPerson {
  readonly cwd: string;
  /** All of it. */
  readonly env: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly timeoutMs: number;
  /** Ends it with the programs that it started. */
  readonly signal?: AbortSignal;
}

export interface RanAsPerson {
  /** Null: ended by a signal. */
  readonly exitCode: number | null;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
}

export function runAsPerson(
  file: string,
  argv: readonly string[],
  { cwd, env, input = "", timeoutMs, signal }: AsPerson,
): Promise<RanAsPerson> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, argv, { cwd, env, detached: true });
    const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
    const end = (how: NodeJS.Signals) => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, how);
      } catch {
        // ended
      }
    };
    const ask = () => {
      end("SIGTERM");
      setTimeout(end, 3_000, "SIGKILL").unref();
    };
    const late = setTimeout(ask, timeoutMs);
    signal?.addEventListener("abort", ask, { once: true });
    child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
    child.stdin.on("error", () => undefined); // the program reads no input
    child.stdin.end(input);
    child.once("error", reject);
    child.once("close", (exitCode) => {
      clearTimeout(late);
      resolve({ exitCode, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr) });
    });
  });
}
