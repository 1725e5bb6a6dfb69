/** Starts a program as a person's shell does: nothing tells it that Mettle is around, as `run` of `src/process` would. */
import { spawn } from "node:child_process";

export interface AsPerson {
  readonly cwd: string;
  /** All of it. */
  readonly env: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly timeoutMs: number;
  /** Ends it and what it started, in good order. */
  readonly signal?: AbortSignal;
}

export interface RanAsPerson {
  /** null when a signal ended it. */
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
        // it has ended meanwhile
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
    child.stdin.on("error", () => undefined); // it takes no input
    child.stdin.end(input);
    child.once("error", reject);
    child.once("close", (exitCode) => {
      clearTimeout(late);
      resolve({ exitCode, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr) });
    });
  });
}
