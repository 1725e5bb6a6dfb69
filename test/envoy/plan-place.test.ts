/** Finding a plan: its folder, its branches and worktrees, and the errors that all commands share. */
import { readdir, rm, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, expect } from "vitest";
import { commands } from "../../src/envoy/table.ts";
import { createRepository } from "../support/repository.ts";
import { inCi, verifies } from "../verifies.ts";
import {
  createPlanWorld,
  hashOf,
  promptText,
  record,
  start,
  walkthrough,
  type PlanWorld,
} from "./plan-world.ts";

let world: PlanWorld;
beforeAll(async () => void (world = await createPlanWorld()));
beforeEach(async () => {
  await world.repository.git("switch", "--quiet", "feature/x");
  await world.repository.write({ ".claude/plans": null });
  await world.ok(["plan", "init"]);
  await world.ok(["plan", "write-prompt", "1", ...promptText]);
});

const plans = () => join(world.repository.dir, ".claude", "plans");

verifies("ENV-29", "a plan has its own folder in the main checkout, ignored by git", async () => {
  const { git } = world.repository;
  for (const branch of ["a/b", "a-b", "a.b"]) await git("branch", branch, "main");
  const dirs: string[] = [];
  for (const branch of ["a/b", "a-b", "a.b"]) {
    await git("switch", "--quiet", branch);
    dirs.push((await world.ok(["plan", "init"]))["plan_dir"] as string);
  }
  expect(dirs[0]).toBe(join(plans(), "a-b"));
  for (const dir of dirs.slice(1)) expect(dir).toMatch(/[/]a-b-[0-9a-f]{6}$/u);
  expect(new Set(dirs).size).toBe(3);
  for (const [index, branch] of ["a/b", "a-b", "a.b"].entries()) {
    await git("switch", "--quiet", branch);
    await world.ok(
      ["plan", "write-prompt", "1", "A", ...promptText, "--description", branch].toSpliced(4, 2),
    );
    await world.ok(["plan", "write-prompt", "2", ...promptText]);
    await world.ok(["plan", "write-notes", "frontend", "--notes", branch]);
    expect((await readdir(dirs[index] ?? "")).filter((name) => !name.startsWith("."))).toEqual([
      "design",
      "findings",
      "plan.md",
      "prompts",
      "user_feedback",
      "user_input.md",
    ]);
    expect(await readdir(join(dirs[index] ?? "", "prompts"))).toEqual(["1_A.md", "2.md"]);
    expect(await readdir(join(dirs[index] ?? "", "findings"))).toEqual(["frontend.yaml"]);
    expect(await world.ok(["plan", "init"])).toEqual({ branch, plan_dir: dirs[index], created: false });
    expect(await world.ok(["plan", "read-prompt", "1", "A"])).toMatchObject({
      front_matter: { description: branch },
    });
  }
  expect(await git("status", "--porcelain", "--untracked-files=all")).toBe("");
  // Removing one plan does not affect another.
  await rm(dirs[0] ?? "", { recursive: true });
  expect(await world.ok(["plan", "init"])).toMatchObject({ plan_dir: dirs[2], created: false });
});

verifies(
  "ENV-44",
  "in a worktree the plan of the feature branch is used, wherever the main checkout is",
  async () => {
    const { git, dir } = world.repository;
    await world.ok(start("1"));
    const { path } = (await world.ok(["git", "worktree", "1"])) as { path: string };
    await git("switch", "--quiet", "-C", "feature/other", "main");
    await world.ok(["plan", "init"]);
    expect(await world.ok(["plan", "next"])).toMatchObject({ count: 0 });
    const nested = join(path, "src", "deep");
    expect(await world.ok(["plan", "read-prompt", "1"], nested)).toMatchObject({ id: "1" });
    await world.ok(record("1", 1, walkthrough(1)), nested);
    expect(await world.fields("prompts/1.md")).toMatchObject({ status: "implemented" });
    expect(existsSync(join(path, ".claude"))).toBe(false);
    expect(await readdir(join(plans(), "feature-other", "prompts"))).toEqual([]);
    // With `/implementation-`, from a subfolder of the main checkout, and with another branch checked out.
    for (const [cwd, branch] of [
      [dir, "feature/x"],
      [join(dir, "src", "deep"), "feature/x/implementation-1"],
    ] as const)
      expect(await world.ok(["plan", "read-prompt", "1", "--feature-branch", branch], cwd)).toMatchObject({
        front_matter: { status: "implemented" },
      });
    expect(await world.ok(["--feature-branch", "feature/other", "plan", "next"], path)).toMatchObject({
      count: 0,
    });
    // During a rebase, with a detached HEAD.
    await git("-C", path, "checkout", "--quiet", "--detach");
    expect(await world.ok(["plan", "read-prompt", "1"], path)).toMatchObject({ id: "1" });
    expect(await world.ok(["git", "worktree", "1"], path)).toMatchObject({ path, created: false });
  },
);

verifies("ENV-53", "branch names do not collide with the feature branch in git", async () => {
  const { git } = world.repository;
  await world.ok(["plan", "write-prompt", "2", "A", ...promptText]);
  for (const [id, seeds, real] of [
    ["1", "feature/x/implementation-1", "feature/x--implementation-1"],
    ["2 A", "feature/x/implementation-2-A", "feature/x--implementation-2-A"],
  ] as const) {
    const words = ["plan", "start-prompt", ...id.split(" "), "--specialist", "worker", "--worktree", seeds];
    expect(await world.ok(words)).toMatchObject({ worktree: real });
    expect(await world.ok(["git", "worktree", ...id.split(" "), "--feature-branch", seeds])).toMatchObject({
      branch: real,
    });
    expect(await git("rev-parse", real)).toBe(await git("rev-parse", "feature/x"));
    await expect(git("branch", seeds)).rejects.toThrow("feature/x");
  }
});

verifies("ENV-54", "a prompt's worktree is created once and found again, and no commit is lost", async () => {
  const { git, dir } = world.repository;
  await world.ok(["plan", "write-prompt", "2", ...promptText]);
  expect(await world.refused(["git", "worktree", "2"])).toMatchObject({ code: 2, type: "not_started" });
  await world.ok(start("2"));
  const tree = ["git", "worktree", "2"];
  const first = (await world.ok(tree)) as { branch: string; path: string };
  expect(first).toMatchObject({ branch: "feature/x--implementation-2", created: true });
  expect(first.path.startsWith(dir)).toBe(false);
  expect(await git("-C", first.path, "symbolic-ref", "--short", "HEAD")).toBe(first.branch);
  expect(await git("rev-parse", first.branch)).toBe(await git("rev-parse", "feature/x"));
  await git("-C", first.path, "commit", "--quiet", "--allow-empty", "-m", "Work");
  const head = await git("rev-parse", first.branch);
  expect(head).not.toBe(await git("rev-parse", "feature/x"));
  const again = { ...first, created: false };
  expect(await world.ok(tree)).toEqual(again);
  await writeFile(join(first.path, "dirty.ts"), "");
  expect(await world.ok(tree, first.path)).toEqual(again);
  expect(await git("-C", first.path, "status", "--porcelain")).toBe("?? dirty.ts");
  await rm(first.path, { recursive: true });
  expect(await world.ok(tree)).toEqual(again);
  expect(await git("-C", first.path, "rev-parse", "HEAD")).toBe(head);
  expect(await git("-C", first.path, "status", "--porcelain")).toBe("");
  // A worktree elsewhere, made by the agent, is accepted too.
  await git("worktree", "remove", first.path);
  const own = join(world.env["HOME"] ?? "", "own");
  await git("worktree", "add", "--quiet", own, first.branch);
  expect(await world.ok(tree)).toEqual({ ...again, path: own });
  expect(await git("rev-parse", first.branch)).toBe(head);
});

inCi("the worktree that a killed call left is reused or removed", async () => {
  const { git } = world.repository;
  await world.ok(["plan", "write-prompt", "3", ...promptText]);
  await world.ok(start("3"));
  const { path, branch } = (await world.ok(["git", "worktree", "3"])) as { path: string; branch: string };
  const admin = await git("-C", path, "rev-parse", "--absolute-git-dir");
  const again = { branch, path, created: false };
  // As if killed before the branch was checked out.
  await git("-C", path, "checkout", "--quiet", "--detach");
  await rm(join(admin, "mettle-branch"));
  expect(await world.ok(["git", "worktree", "3"])).toEqual(again);
  expect(await git("-C", path, "symbolic-ref", "--short", "HEAD")).toBe(branch);
  // As if killed during the checkout, which git marks like this.
  await git("-C", path, "checkout", "--quiet", "--detach");
  await rm(join(admin, "mettle-branch"));
  await writeFile(join(admin, "locked"), "initializing");
  await rm(join(path, "README.md"));
  expect(await world.ok(["git", "worktree", "3"])).toEqual(again);
  expect(await git("-C", path, "status", "--porcelain")).toBe("");
});

/** Valid lines, apart from the part that a test replaces. */
function lineOf(name: string, given: Readonly<Record<string, string>> = {}): readonly string[] {
  const values: Readonly<Record<string, string>> = {
    prompt_num: "1",
    approach_num: "1",
    agent_name: "frontend",
    specialist_name: "frontend",
    iteration: "1",
    walkthrough: walkthrough(1),
    specialist: "worker",
    worktree: "feature/x--implementation-1",
    message: "Work",
    ...given,
  };
  const command = commands.find((one) => one.name === name);
  return [
    ...name.split(" "),
    ...(command?.inputs ?? []).flatMap((input) => {
      const value = values[input.name];
      if (input.place === "argument") return value === undefined ? [] : [value];
      if (!input.required && value === undefined) return [];
      return [`--${input.name}`, value ?? "x"];
    }),
  ];
}

/** Commands that need no plan or create one. */
const planless = new Set(["plan cleanup-debug-logs", "knowledge search", "git diff-base"]);
const asking = commands.filter(({ name }) => !planless.has(name)).map(({ name }) => name);
const takes = (name: string, input: string) =>
  commands.find((one) => one.name === name)?.inputs.some((one) => one.name === input) === true;

verifies(
  "ENV-37",
  "every command that needs a plan gives the same errors, and then changes no file",
  async () => {
    const { git, dir } = world.repository;
    await world.ok(["plan", "write-prompt", "2", "A", ...promptText]);
    await world.ok(["plan", "write-approach", "frontend", "1", ...promptText.slice(0, 4), "--files", "a"]);
    await world.ok(start("1"));
    expect(asking.length).toBeGreaterThan(13);
    const other = await createRepository({ files: {} });
    await rm(join(other.dir, ".git"), { recursive: true });
    const before = hashOf(plans());
    const refused = async (
      name: string,
      type: string,
      more: Readonly<Record<string, string>> = {},
      cwd?: string,
    ) => {
      const line = lineOf(name, more);
      expect([line, await world.refused(line, cwd)]).toMatchObject([line, { code: 2, type }]);
    };
    for (const name of asking) {
      const number = ["prompt_num", "approach_num"].find((input) => takes(name, input));
      if (number !== undefined)
        for (const word of ["0", "x", "1.5", "01", "1e3", "99999999999999999999"])
          await refused(name, "invalid_number", { [number]: word });
      if (takes(name, "variant"))
        for (const word of ["a", "AB", "1", ""]) await refused(name, "invalid_variant", { variant: word });
      const isRead = number !== undefined && !name.includes(" write-");
      if (isRead) await refused(name, "not_found", { [number]: "7" });
      if (isRead && number === "prompt_num") {
        await refused(name, "invalid_variant", { prompt_num: "2" });
        await refused(name, "not_found", { prompt_num: "2", variant: "B" });
      }
      if (takes(name, "specialist_name")) await refused(name, "not_found", { specialist_name: "nobody" });
      await refused(name, "not_a_repository", {}, other.dir);
    }
    const everywhere = async (type: string, names: readonly string[]) => {
      for (const name of names) await refused(name, type);
    };
    await git("switch", "--quiet", "--detach");
    await everywhere("no_branch", asking);
    for (const branch of [
      "main",
      "master",
      "develop",
      "development",
      "dev",
      "staging",
      "stage",
      "production",
      "prod",
    ]) {
      await git("switch", "--quiet", ...(branch === "main" ? [branch] : ["-c", branch]));
      await everywhere("direct_mode", branch === "main" ? asking : ["plan init", "plan next"]);
      expect(await world.refused(["plan", "next", "--feature-branch", branch])).toMatchObject({
        type: "direct_mode",
      });
    }
    await git("switch", "--quiet", "-c", "feature/none");
    await everywhere(
      "no_plan",
      asking.filter((name) => name !== "plan init"),
    );
    expect(hashOf(plans())).toBe(before);
    expect(existsSync(join(dir, ".claude", "plans", "feature-none"))).toBe(false);
  },
);
