/** A plan in a person's checkout, whose printed steps workers follow. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { readFile } from "node:fs/promises";
import { stringify } from "yaml";
import type { TempRepository } from "../support/repository.ts";
import { newFolder } from "../support/folder.ts";
import { fill } from "../envoy/gate-world.ts";
import { promptText } from "../envoy/plan-world.ts";
import { implemented, merged } from "../steps/world.ts";
import type { TurnFile } from "../orchestrate/world.ts";
import { agentOf, detach, workersOrigin } from "./workers.ts";
import { cloneOf, sharedHost, type SharedHost } from "./world.ts";

export type Turns = Readonly<Record<string, readonly TurnFile[]>>;

/** A shop whose reviewer passes everything. */
export async function shopOrigin(): Promise<TempRepository> {
  const reviewer = { does: [{ say: '{"verdict":"passed"}' }], repeat: true };
  return workersOrigin(
    {
      "package.json": '{ "name": "shop", "type": "module" }\n',
      "README.md": "A shop\n",
      "test/base.test.js": 'import { test } from "node:test";\ntest("base", () => {});\n',
      "review.yaml": stringify({ version: 1, kind: "cassette", roles: { reviewer: [reviewer] } }),
    },
    "agents: { roles: { reviewer: 'scripted:review.yaml' } }\n",
  );
}

/** A host with a clone on the branch feature/x, which has a plan. */
export async function planHost(origin: TempRepository, url: string): Promise<SharedHost> {
  const here = sharedHost(await cloneOf(origin), url);
  await beginPlan(here, "feature/x");
  return here;
}

/** A new feature branch with an empty plan, checked out. */
export async function beginPlan(here: SharedHost, branch: string): Promise<void> {
  await here.git("switch", "--quiet", "-c", branch, "origin/main", "--no-track");
  await envoy(here, "plan", "init");
}

/** The turns of an agent that implements a prompt and merges it. @param before a command at its begin */
export function mergedTurn(id: string, feature = "feature/x", before = "true"): Turns {
  const steps = implemented(id, `export const n = ${id};`).replaceAll("feature/x", feature);
  const does = [{ shell: before }, { shell: steps }, { shell: merged(id) }];
  return { worker: [{ does, report: implementedDone }] };
}

/** Calls Envoy as this host's person. @throws if it is refused */
export async function envoy(host: SharedHost, ...args: readonly string[]): Promise<void> {
  const { code, stdout, stderr } = await host.cli(["envoy", ...args]);
  if (code !== 0) throw new Error(`envoy ${args.join(" ")}: ${stdout}${stderr}`);
}

/** Writes a prompt of the plan. @param id number, and variant: `1 A` */
export async function writePrompt(host: SharedHost, id: string, ...more: readonly string[]): Promise<void> {
  await envoy(host, "plan", "write-prompt", ...id.split(" "), ...promptText, ...more);
}

/** Leaves the prompt to workers. @returns the run */
export async function detachPrompt(
  host: SharedHost,
  worker: readonly TurnFile[],
  number = 1,
): Promise<string> {
  const agent = await agentOf({ version: 1, kind: "cassette", roles: { worker } });
  return detach(host, agent, ["--protocol", "implementation", "--input", `prompt_num=${number}`]);
}

/** Leaves the whole plan to workers. @param nodes turns by prompt @returns the run */
export async function detachPlan(
  host: SharedHost,
  nodes: Readonly<Record<string, Turns>>,
  ...more: readonly string[]
): Promise<string> {
  const agent = await agentOf({ version: 1, kind: "cassette", roles: {}, nodes });
  return detach(host, agent, ["--protocol", "continue", ...more]);
}

export const planFile = (host: SharedHost, path: string) =>
  join(host.dir, ".claude", "plans", "feature-x", path);

/** Fills in a gate's file as a person. */
export async function filled(
  host: SharedHost,
  gate: string,
  fields: Readonly<Record<string, string>>,
): Promise<string> {
  const text = await readFile(planFile(host, `user_feedback/${gate}.yaml`), "utf8");
  return fill(text, { ...fields, done: "true" });
}

/** A shell command at which the first agent that gets there stays; the next one goes on. */
export function staysOnce(seconds = 90): {
  readonly file: string;
  readonly shell: string;
  readonly isThere: () => boolean;
} {
  const file = join(newFolder(), "stays");
  const shell = `[ -e ${file} ] || { touch ${file}; sleep ${seconds}; }`;
  return { file, shell, isThere: () => existsSync(file) };
}

export const implementedDone = {
  status: "DONE",
  message: "merged",
  payload: { success: true, merged: true },
};
