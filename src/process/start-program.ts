/** Starts a program of Mettle that outlives this one: in a session of its own, so a closed terminal does not end it (SCL-09). */
import { spawn } from "node:child_process";
import { open } from "node:fs/promises";

export interface OwnSession {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** File that gets its output, after what is there. */
  readonly output: string;
  /** Maximum wait until it reports that it works, in milliseconds. */
  readonly timeoutMs: number;
}

/** The message of the started program: it works now. */
const ready = "ready";

/**
 * Resolves when the started program works, or has ended.
 * @returns null: it works; else its exit code, or -1 without one or after the wait
 */
export async function startProgram(
  file: string,
  { args, cwd, env, output, timeoutMs }: OwnSession,
): Promise<number | null> {
  const log = await open(output, "a", 0o600);
  try {
    const child = spawn(file, args, {
      cwd,
      env,
      detached: true,
      stdio: ["ignore", log.fd, log.fd, "ipc"],
    });
    return await new Promise((resolve) => {
      const end = (code: number | null) => {
        clearTimeout(late);
        child.removeAllListeners();
        if (child.connected) child.disconnect();
        child.unref();
        resolve(code);
      };
      const late = setTimeout(() => end(-1), timeoutMs);
      child.once("message", () => end(null));
      child.once("error", () => end(-1));
      child.once("exit", (code) => end(code ?? -1));
    });
  } finally {
    await log.close();
  }
}

/** For the started program: lets the one that started it go on, which may have ended. */
export function reportReady(): void {
  process.send?.(ready, () => undefined);
  if (process.connected) process.disconnect();
}
