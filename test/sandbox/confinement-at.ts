import { mkdir } from "node:fs/promises";
import type { AgentSpec } from "../../src/agents/agent.ts";
import { environment } from "../../src/config/env.ts";
import type { Confinement } from "../../src/process/sandbox/confinement.ts";
import { rulesToShow } from "../../src/process/sandbox/places.ts";
import { machineConfinement } from "../../src/sandbox/machine.ts";

/** The confinement that a run would use for an agent in this folder. */
export async function confinementAt({ cwd, home }: Pick<AgentSpec, "cwd" | "home">): Promise<Confinement> {
  await mkdir(home, { recursive: true });
  const env = environment();
  const host = { path: env["PATH"] ?? "", env, secrets: [], node: process.execPath };
  const machine = await machineConfinement({ host, stateRoot: "/nonexistent", repository: null });
  if (machine === null) throw new Error("bubblewrap is not installed");
  const { hidden, rules } = machine;
  const own = [
    ...(await rulesToShow(cwd, "writable", hidden)),
    ...(await rulesToShow(home, "writable", hidden)),
  ];
  return { ...machine, rules: [...rules, ...own] };
}
