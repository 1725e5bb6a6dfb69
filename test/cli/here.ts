/**
 * Calls `mettle` in this process with a given folder and environment, since the start of a program costs more than most
 * commands. One call at a time, since a process has one folder and one environment.
 */
import { vi } from "vitest";
import { main } from "../../src/cli/run-command.ts";
import { withExecutor } from "../../src/run/host.ts";
import { executeOnce } from "../support/executed-once.ts";
import type { CliResult, World } from "../orchestrate/world.ts";

export interface InProcessResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CallEnvironment {
  readonly cwd: string;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
}

export async function callHere(
  args: readonly string[],
  { cwd, env }: CallEnvironment,
  program: (args: readonly string[]) => Promise<number> = main,
): Promise<InProcessResult> {
  const before = { cwd: process.cwd(), env: process.env };
  const out = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  const err = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  try {
    process.chdir(cwd);
    process.env = { ...env };
    const code = await withExecutor(executeOnce, () => program(args));
    return { code, stdout: textOf(out.mock.calls), stderr: textOf(err.mock.calls) };
  } finally {
    process.env = before.env;
    process.chdir(before.cwd);
    out.mockRestore();
    err.mockRestore();
  }
}

/** `world.cli` in this process, which may drive runs that this process has already claimed. */
export async function callIn(
  world: World,
  args: readonly string[],
  { cwd = world.repository.dir, env = {} }: Partial<CallEnvironment> = {},
): Promise<CliResult> {
  const called = await callHere(args, {
    cwd,
    env: { ...world.env, ...env },
  });
  return { ...called, json: () => JSON.parse(called.stdout) as Record<string, unknown> };
}

function textOf(calls: readonly (readonly unknown[])[]): string {
  return calls.map(([chunk]) => String(chunk)).join("");
}
