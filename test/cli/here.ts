/**
 * `mettle` in this process: what `src/cli/main.ts` calls, with a folder and an environment of its own, and without the
 * start of a program, which costs more than most commands. One call at a time, since a process has one of each.
 */
import { vi } from "vitest";
import { main } from "../../src/cli/run-command.ts";

export interface Here {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Surroundings {
  readonly cwd: string;
  /** All of it. */
  readonly env: Readonly<Record<string, string>>;
}

export async function callHere(args: readonly string[], { cwd, env }: Surroundings): Promise<Here> {
  const before = { cwd: process.cwd(), env: process.env, input: process.stdin.isTTY };
  const out = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  const err = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  try {
    process.chdir(cwd);
    process.env = { ...env };
    // As for a program whose input is not a terminal, wherever the suite was started.
    process.stdin.isTTY = false;
    const code = await main(args);
    return { code, stdout: textOf(out.mock.calls), stderr: textOf(err.mock.calls) };
  } finally {
    process.env = before.env;
    process.stdin.isTTY = before.input;
    process.chdir(before.cwd);
    out.mockRestore();
    err.mockRestore();
  }
}

function textOf(calls: readonly (readonly unknown[])[]): string {
  return calls.map(([chunk]) => String(chunk)).join("");
}
