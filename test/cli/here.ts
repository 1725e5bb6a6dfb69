/**
 * `mettle` in this process: what `src/cli/main.ts` calls, with a folder and an environment of its own, and without the
 * start of a program, which costs more than most commands. One call at a time, since a process has one of each.
 */
import { vi } from "vitest";
import { main } from "../../src/cli/run-command.ts";
import { executingBy } from "../../src/run/host.ts";
import { executeOnce } from "../support/executed-once.ts";
import type { Called, World } from "../orchestrate/world.ts";

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

export async function callHere(
  args: readonly string[],
  { cwd, env }: Surroundings,
  program: (args: readonly string[]) => Promise<number> = main,
): Promise<Here> {
  const before = { cwd: process.cwd(), env: process.env };
  const out = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  const err = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  try {
    process.chdir(cwd);
    process.env = { ...env };
    const code = await executingBy(executeOnce, () => program(args));
    return { code, stdout: textOf(out.mock.calls), stderr: textOf(err.mock.calls) };
  } finally {
    process.env = before.env;
    process.chdir(before.cwd);
    out.mockRestore();
    err.mockRestore();
  }
}

/** `world.cli` in this process. A run that this process claims already is no other's then. */
export async function callIn(
  world: World,
  args: readonly string[],
  { cwd = world.repository.dir, env = {} }: Partial<Surroundings> = {},
): Promise<Called> {
  const called = await callHere(args, {
    cwd,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: world.home,
      METTLE_HOME: world.home,
      METTLE_SANDBOX: "off",
      ...env,
    },
  });
  return { ...called, json: () => JSON.parse(called.stdout) as Record<string, unknown> };
}

function textOf(calls: readonly (readonly unknown[])[]): string {
  return calls.map(([chunk]) => String(chunk)).join("");
}
