/**
 * Kills each command of a plan before each of its steps. Every file is then in its old or its new state, a person's answer is still
 * in its file or recorded, and the same call succeeds when repeated.
 */
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect } from "vitest";
import { wide } from "../wide.ts";
import { callKilled } from "./kill-at.ts";
import type { GateWorld } from "./gate-world.ts";
import { promptText, record, start, walkthrough, type Json } from "./plan-world.ts";

interface Case {
  readonly line: readonly string[];
  /** Set-up before the first kill. */
  readonly prepare?: () => Promise<unknown>;
  /** Restores the state outside of the plan. */
  readonly undo?: () => Promise<unknown>;
  /** The command opens a gate that is not answered. */
  readonly asks?: true;
  /** The gate of the command, answered in its file. */
  readonly answered?: string;
  /** Killed only with METTLE_WIDE; otherwise called once or left out. */
  readonly wide?: "called" | "left out";
}

/** @returns the number of kills */
export async function killEverywhere(world: GateWorld): Promise<number> {
  let kills = 0;
  for (const one of casesIn(world)) {
    if (one.wide === undefined || wide) kills += await killCase(world, one);
    else if (one.wide === "called") await call(world, one);
  }
  return kills;
}

async function killCase(world: GateWorld, one: Case): Promise<number> {
  const { repository, env, dir } = world;
  await one.prepare?.();
  const saved = join(env["HOME"] ?? "", "saved");
  await rm(saved, { recursive: true, force: true });
  await mkdir(dir, { recursive: true });
  await cp(dir, saved, { recursive: true, preserveTimestamps: true });
  const restore = async () => {
    await one.undo?.();
    await rm(dir, { recursive: true, force: true });
    await cp(saved, dir, { recursive: true, preserveTimestamps: true });
  };
  const at = { cwd: repository.dir, env };
  const before = filesOf(dir);
  const whole = await callKilled(one.line, 0, at);
  const answer = plain(JSON.parse(whole.stdout));
  const after = filesOf(dir);
  let kills = 0;
  for (const moment of momentsOf(whole.steps, one)) {
    await restore();
    const what = `${one.line.slice(0, 3).join(" ")} at ${moment} of ${whole.steps}`;
    const { wasKilled, steps } = await callKilled(one.line, moment, at);
    // A call that reads a fresh answer twice takes more steps than another.
    if (!wasKilled) expect([what, steps > 0 && steps < moment]).toEqual([what, true]);
    kills += Number(wasKilled);
    const between = filesOf(dir);
    for (const [path, text] of between)
      expect([what, path, [before.get(path), after.get(path)]]).toEqual([
        what,
        path,
        expect.arrayContaining([text]),
      ]);
    // Only files that the command removes may be missing.
    for (const path of before.keys())
      if (!between.has(path)) expect([what, path, after.has(path)]).toEqual([what, path, false]);
    if (one.answered !== undefined) {
      const gate = `user_feedback/${one.answered}`;
      const isOpen = between.get(`${gate}.yaml`) === before.get(`${gate}.yaml`);
      const isRecorded = between.has(`user_feedback/answered/${one.answered}.json`);
      expect([what, isOpen || isRecorded]).toEqual([what, true]);
    }
    expect([what, plain(await call(world, one))]).toEqual([what, answer]);
    expect([what, [...filesOf(dir)]]).toEqual([what, [...after]]);
  }
  expect(kills).toBeGreaterThan(0);
  return kills;
}

/** The steps to kill at: all with METTLE_DEEP, else an even selection, larger for commands that take an answer. */
function momentsOf(steps: number, { answered }: Case): readonly number[] {
  const isLong = answered !== undefined;
  const wanted =
    process.env["METTLE_DEEP"] !== undefined ? steps : wide ? (isLong ? steps : 5) : isLong ? 4 : 1;
  const kept = Math.min(wanted, steps);
  return Array.from({ length: kept }, (_, at) => Math.ceil(((at + 0.5) * steps) / kept));
}

async function call(world: GateWorld, { line, asks }: Case): Promise<unknown> {
  const { stdout } = await world.envoy(line);
  const answer = JSON.parse(stdout) as {
    readonly status: string;
    readonly error?: { readonly type: string };
  };
  expect([line, answer.status, answer.error?.type]).toEqual(
    asks === true ? [line, "error", "waiting_for_person"] : [line, "success", undefined],
  );
  return answer;
}

/** Removes the fields that differ between calls or between a first and a repeated call. */
function plain(answer: unknown): unknown {
  const text = JSON.stringify(answer, (key, value: unknown) =>
    ["duration_ms", "created", "updated", "resumed", "already_merged", "files"].includes(key)
      ? undefined
      : value,
  );
  return JSON.parse(masked(text)) as Json;
}

/** Names and texts of all files, without locks, temporary files, times and ids. */
function filesOf(dir: string): ReadonlyMap<string, string> {
  const files = readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/^\..*\.(?:tmp|lock)$|-journal$/u.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
  return new Map(files.map((file) => [relative(dir, file), masked(readFileSync(file, "utf8"))]));
}

function masked(text: string): string {
  return (
    text
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/gu, "TIME")
      .replaceAll(/\b[0-9a-f]{40}\b/gu, "COMMIT")
      .replaceAll(/(?<="id": "|\banswer:? )[a-z\d]{12}\b/gu, "ID")
      .replaceAll(/"settled": (?:true|false),\s*"after": [^\n]*/gu, "SETTLED")
      // An answer is recorded before it is returned.
      .replaceAll(/"returned": (?:true|false)/gu, "RETURNED")
  );
}

function casesIn(world: GateWorld): readonly Case[] {
  const { repository, dir } = world;
  const branch = "feature/x--implementation-1";
  const one = ["plan", "write-approach", "frontend", "1", "--description", "x".repeat(3_000)];
  const testing = ["plan", "block-prompt-testing-gate", "1"];
  const findings = ["plan", "block-findings-gate"];
  let [worktree, head] = ["", ""];
  return [
    {
      line: ["plan", "init"],
      wide: "called",
      undo: () => repository.write({ ".claude/plans": null }),
    },
    { line: ["plan", "write-plan", "--title", "T", "--objective", "O", "--context", "C"], wide: "left out" },
    { line: ["plan", "write-prompt", "1", ...promptText, "--requires-testing"], wide: "called" },
    { line: [...one, "--context", "c", "--files", "a", "--questions", "Why?"] },
    { line: ["plan", "write-notes", "frontend", "--notes", "n"], wide: "left out" },
    { line: start("1") },
    {
      line: ["git", "worktree", "1"],
      wide: "left out",
      undo: async () => {
        const listed = await repository.git("worktree", "list", "--porcelain");
        const [, path = ""] = /^worktree (.*\/prompts\/.*)$/mu.exec(listed) ?? [];
        await repository.git("worktree", "remove", "--force", path).catch(() => {}); // there is none yet
        await repository.git("branch", "--quiet", "-D", branch).catch(() => {});
      },
    },
    {
      line: record("1", 1, walkthrough(1)),
      prepare: async () => {
        worktree = (await world.ok(["git", "worktree", "1"]))["path"] as string;
        head = await repository.git("rev-parse", "HEAD");
        await writeFile(join(worktree, "src", "a.ts"), "1\n");
      },
    },
    {
      line: ["git", "commit", "1", "--message", "Work"],
      wide: "left out",
      undo: () => repository.git("-C", worktree, "reset", "--quiet", head),
    },
    { line: [...findings, "--wait", "0"], asks: true, wide: "left out" },
    {
      line: findings,
      answered: "findings_gate",
      wide: "left out",
      prepare: () =>
        world.answer("findings_gate", {
          "approach_feedback.frontend_1.user_required_changes": "More",
          "approach_feedback.frontend_1.question_answers.answer": "So",
        }),
    },
    { line: [...testing, "--wait", "0"], asks: true },
    {
      line: testing,
      answered: "1_testing",
      prepare: async () => {
        const logs = join(dir, "user_feedback", "1_testing_logs.md");
        await writeFile(logs, `${await readFile(logs, "utf8")}it blinks\n`);
        await world.answer("1_testing", { test_passed: "true", thoughts: '"Nice"' });
      },
    },
    {
      line: ["git", "merge-worktree", "1"],
      wide: "left out",
      prepare: () => world.review("1"),
      undo: () => repository.git("reset", "--quiet", "--hard", head),
    },
    { line: ["plan", "complete-prompt", "1"], wide: "left out" },
  ];
}
