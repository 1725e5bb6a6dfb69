/** Runs a program at a pseudo-terminal of util-linux's `script`: reads its output and types input. */
import { execFileSync, spawn } from "node:child_process";
import { shellWords } from "../../src/views/shell-words.ts";

export interface Terminal {
  /** The output so far, without control sequences. */
  screen(): string;
  /** Waits until the text appears after the last input. */
  shows(text: string): Promise<void>;
  type(text: string): void;
  /** @returns the exit code */
  ended(): Promise<number | null>;
}

const patienceMs = 60_000;

/** Whether this machine has the `script` of util-linux. */
export const hasScript = (() => {
  try {
    return process.platform === "linux" && execFileSync("script", ["--version"]).length > 0;
  } catch {
    return false;
  }
})();

export function openTerminal(
  words: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Terminal {
  const child = spawn("script", ["-qec", shellWords(words), "/dev/null"], {
    cwd,
    env: { TERM: "xterm", SHELL: "/bin/sh", ...env },
    timeout: 2 * patienceMs,
  });
  let shown = "";
  let seen = 0;
  child.stdout.on("data", (chunk: Buffer) => (shown += plain(chunk.toString("utf8"))));
  child.stdin.on("error", () => undefined);
  const exit = new Promise<number | null>((resolve) => child.once("close", resolve));
  return {
    screen: () => shown,
    async shows(text) {
      for (const end = Date.now() + patienceMs; !shown.includes(text, seen);) {
        if (Date.now() > end || child.exitCode !== null)
          throw new Error(`${text} is not shown: ${shown.slice(seen)}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      seen = shown.length;
    },
    type: (text) => void child.stdin.write(text),
    ended: () => exit,
  };
}

function plain(text: string): string {
  // eslint-disable-next-line no-control-regex
  return text.replace(/\u001b\[[\d;?]*[A-Za-z]/gu, "");
}
