/** A repository on a feature branch in which the test calls Envoy in its own process. */
import { readFile, writeFile } from "node:fs/promises";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { parse } from "yaml";
import { envoy } from "../../src/envoy/envoy.ts";
import { newFolder } from "../support/folder.ts";
import { createRepository, type TempRepository } from "../support/repository.ts";
import { callHere } from "../cli/here.ts";

export type Json = Readonly<Record<string, unknown>>;

export interface Refusal {
  readonly code: number;
  readonly type: string;
  readonly message: string;
  readonly suggestion: string;
  readonly detail?: Json;
}

export interface PlanWorld {
  readonly repository: TempRepository;
  /** The plan folder of feature/x. */
  readonly dir: string;
  readonly env: Readonly<Record<string, string>>;
  /** Calls a command, expects success and returns its data. */
  ok(args: readonly string[], cwd?: string): Promise<Json>;
  /** Calls a command, expects an error and returns it. */
  refused(args: readonly string[], cwd?: string): Promise<Refusal>;
  read(path: string): Promise<string>;
  /** The front matter of a file of the plan. */
  fields(path: string): Promise<Json>;
  write(path: string, text: string): Promise<void>;
}

export async function createPlanWorld(branch = "feature/x"): Promise<PlanWorld> {
  const repository = await createRepository({ files: { "README.md": "x\n", "src/deep/a.ts": "1\n" } });
  await repository.git("switch", "--quiet", "-c", branch);
  const home = newFolder();
  const dir = join(repository.dir, ".claude", "plans", branch.replaceAll("/", "-"));
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    METTLE_HOME: join(home, "state"),
    METTLE_SANDBOX: "off",
    METTLE_MUTATION_BUDGET: "0",
  };
  const call = (args: readonly string[], cwd = repository.dir) => callHere(args, { cwd, env }, envoy);
  return {
    repository,
    dir,
    env,
    async ok(args, cwd) {
      const { code, stdout, stderr } = await call(args, cwd);
      expect([args, code, stderr]).toEqual([args, 0, ""]);
      const { status, data } = JSON.parse(stdout) as { status: string; data: Json };
      expect([status, stdout.indexOf("\n")]).toEqual(["success", stdout.length - 1]);
      return data;
    },
    async refused(args, cwd) {
      const { code, stdout, stderr } = await call(args, cwd);
      const { status, error } = JSON.parse(stdout) as { status: string; error: Refusal };
      expect([status, stdout.indexOf("\n")]).toEqual(["error", stdout.length - 1]);
      expect(stderr).toContain(`error[${error.type}]: ${error.message}\n`);
      return { ...error, code };
    },
    read: (path) => readFile(join(dir, path), "utf8"),
    async fields(path) {
      const text = await readFile(join(dir, path), "utf8");
      return parse(path.endsWith(".yaml") ? text : (text.split(/^---$/mu)[1] ?? "")) as Json;
    },
    write: (path, text) => writeFile(join(dir, path), text),
  };
}

/** A plan with two prompts, and the worktree of the first. */
export async function createPromptWorld(): Promise<{ readonly world: PlanWorld; readonly tree: string }> {
  const world = await createPlanWorld();
  await world.ok(["plan", "init"]);
  for (const id of ["1", "2"]) await world.ok(["plan", "write-prompt", id, ...promptText]);
  await world.ok(start("1"));
  return { world, tree: String((await world.ok(["git", "worktree", "1"]))["path"]) };
}

/** The options of a new prompt. */
export const promptText = [
  "--description",
  "Does a thing",
  "--context",
  "How it is done",
  "--criteria",
  "It is done",
  "--files",
  "src/a.ts",
];

/** The number and variant of a prompt, as arguments. */
export const words = (id: string) => id.split(" ");
export const branchOf = (id: string, feature = "feature/x") =>
  `${feature}--implementation-${id.replace(" ", "-")}`;

export function start(id: string, specialist = "worker", feature = "feature/x"): readonly string[] {
  const branch = branchOf(id, feature);
  return ["plan", "start-prompt", ...words(id), "--specialist", specialist, "--worktree", branch];
}

export function walkthrough(iteration: number, type = "initial", approach = "Did it"): string {
  const context = iteration === 1 ? "" : "**Refinement Context**: required changes\n";
  return `### Iteration ${iteration}
**Type**: ${type}
${context}
#### Approach

${approach}

#### Changes Made

- \`src/a.ts\`: new

#### Key Decisions

- one file: it is small
`;
}

export function commit(id: string, message = "Work"): readonly string[] {
  return ["git", "commit", ...words(id), "--message", message];
}

export function record(id: string, iteration: number, text: string, more: readonly string[] = []) {
  const reason = iteration === 1 ? [] : ["--refinement-reason", "Review feedback: more"];
  const args = ["--walkthrough", text, "--iteration", `${iteration}`];
  return ["plan", "record-implementation", ...words(id), ...args, ...reason, ...more];
}

/** All files below a folder, as one hash. */
export function hashOf(folder: string): string {
  const hash = createHash("sha256");
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }).toSorted((a, b) =>
    join(a.parentPath, a.name) < join(b.parentPath, b.name) ? -1 : 1,
  )) {
    const path = join(entry.parentPath, entry.name);
    hash.update(path);
    if (entry.isFile()) hash.update(readFileSync(path));
  }
  return hash.digest("hex");
}
