/** A plan with started prompts, and a person who answers its gates in their files. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { envoy } from "../../src/envoy/envoy.ts";
import { judgePrompt } from "../../src/plans/judge.ts";
import { readWork } from "../../src/plans/worktree/work.ts";
import { openRepository } from "../../src/git/repository.ts";
import { callHere, type InProcessResult } from "../cli/here.ts";
import {
  branchOf,
  commit,
  createPlanWorld,
  promptText,
  record,
  start,
  walkthrough,
  words,
  type Json,
  type PlanWorld,
} from "./plan-world.ts";

export interface GateWorld extends PlanWorld {
  /** The path of a file in `user_feedback/`. */
  place(file: string): string;
  saved(file: string): Promise<string>;
  /** Fills in fields of a gate's file, `done` last. */
  answer(gate: string, fields: Readonly<Record<string, string>>): Promise<void>;
  /** Opens a gate without waiting. */
  open(line: readonly string[]): Promise<void>;
  envoy(line: readonly string[], cwd?: string): Promise<InProcessResult>;
  mettle(...args: readonly string[]): Promise<InProcessResult & { readonly json: Json }>;
  userInput(): Promise<string>;
  /** Writes and starts a prompt, and returns its worktree. */
  prompt(id: string, ...more: readonly string[]): Promise<string>;
  /** Writes and starts a prompt with these files in its worktree, committed and reviewed, and returns its worktree. */
  ready(id: string, files: Readonly<Record<string, string>>, ...more: readonly string[]): Promise<string>;
  /** Changes `src/a.ts` in the worktree and records it as iteration 1. */
  implement(id: string, worktree: string, text?: string): Promise<void>;
  /** Passes the current worktree as the reviewer. */
  review(id: string): Promise<void>;
  /** Resets to a plan without prompts, worktrees and branches. */
  reset(): Promise<void>;
}

export async function createGateWorld(): Promise<GateWorld> {
  const world = await createPlanWorld();
  const { repository, dir, env } = world;
  const place = (file: string) => join(dir, "user_feedback", file);
  const saved = (file: string) => readFile(place(file), "utf8");
  const here = { cwd: repository.dir, env };
  const gates: GateWorld = {
    ...world,
    place,
    saved,
    answer: async (gate, fields) =>
      writeFile(place(`${gate}.yaml`), fill(await saved(`${gate}.yaml`), { ...fields, done: "true" })),
    async open(line) {
      expect(await world.refused([...line, "--wait", "0"])).toMatchObject({
        code: 3,
        type: "waiting_for_person",
        suggestion: expect.stringContaining("call the same command again") as string,
      });
    },
    envoy: (line, cwd = repository.dir) => callHere(line, { cwd, env }, envoy),
    async mettle(...args) {
      const called = await callHere([...args, "--json"], here);
      return { ...called, json: JSON.parse(called.stdout) as Json };
    },
    userInput: () => readFile(join(dir, "user_input.md"), "utf8"),
    async prompt(id, ...more) {
      await world.ok(["plan", "write-prompt", ...words(id), ...promptText, ...more]);
      await world.ok(start(id));
      return (await world.ok(["git", "worktree", ...words(id)]))["path"] as string;
    },
    async ready(id, files, ...more) {
      const path = await gates.prompt(id, ...more);
      for (const [file, text] of Object.entries(files)) await writeFile(join(path, file), text);
      await world.ok(record(id, 1, walkthrough(1)));
      await world.ok(commit(id, `Work on ${id}`));
      await gates.review(id);
      return path;
    },
    async implement(id, worktree, text = "1\n") {
      await writeFile(join(worktree, "src", "a.ts"), text);
      await world.ok(record(id, 1, walkthrough(1)));
    },
    async review(id) {
      const [number = "", variant = null] = id.split(" ");
      const opened = await openRepository(repository.dir, { path: env["PATH"] ?? "" });
      const work = await readWork(opened, { feature: "feature/x", branch: branchOf(id) });
      const judgement = { source: "review", passed: true, text: "", tree: work?.tree ?? null } as const;
      await judgePrompt({ dir }, { number: Number(number), variant }, judgement);
    },
    async reset() {
      const listed = (await repository.git("worktree", "list", "--porcelain")).split("\n");
      for (const line of listed)
        if (/^worktree .*\/prompts\//u.test(line))
          await repository.git("worktree", "remove", "--force", line.slice("worktree ".length));
      for (const branch of (await repository.git("branch", "--format=%(refname:short)")).split("\n"))
        if (branch.includes("--implementation-")) await repository.git("branch", "--quiet", "-D", branch);
      await repository.write({ ".claude/plans": null });
      await world.ok(["plan", "init"]);
    },
  };
  return gates;
}

/** Sets the values of `name: …` lines; nested names are `part.name`. */
export function fill(text: string, fields: Readonly<Record<string, string>>): string {
  const left = { ...fields };
  const path: { readonly gap: number; readonly name: string }[] = [];
  return text
    .split("\n")
    .map((line) => {
      const [, gap = "", name] = /^((?: |- )*)([A-Za-z0-9_]+):/u.exec(line) ?? [];
      if (name === undefined || line.startsWith("#")) return line;
      while ((path.at(-1)?.gap ?? -1) >= gap.length) path.pop();
      path.push({ gap: gap.length, name });
      const whole = path.map((part) => part.name).join(".");
      const value = left[whole];
      // Of several list items only the first is set.
      delete left[whole];
      return value === undefined ? line : `${gap}${name}: ${value}`;
    })
    .join("\n");
}
