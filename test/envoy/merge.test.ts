/** Merging a prompt's branch into its feature branch: once, tested, and only after every step before it. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, beforeEach, expect } from "vitest";
import { packageRoot } from "../../src/config/package-root.ts";
import { inCi, verifies, verifiesInCi } from "../verifies.ts";
import { createGateWorld, type GateWorld } from "./gate-world.ts";
import { branchOf, commit, record, walkthrough, words, type Json } from "./plan-world.ts";

let world: GateWorld;
let first = "";
beforeAll(async () => {
  world = await createGateWorld();
  first = await world.repository.git("rev-parse", "HEAD");
});
beforeEach(async () => {
  await world.repository.git("switch", "--quiet", "feature/x");
  await world.repository.git("reset", "--quiet", "--hard", first);
  await world.reset();
});

const git = (...args: string[]) => world.repository.git(...args);
const head = () => git("rev-parse", "feature/x");
const merge = (id: string) => ["git", "merge-worktree", ...words(id)];

async function tested(id: string) {
  const gate = ["plan", "block-prompt-testing-gate", ...words(id)];
  await world.open(gate);
  await world.answer(`${id.replace(" ", "_")}_testing`, { test_passed: "true" });
  await world.ok(gate);
}

verifies(
  ["ENV-58", "ENV-49"],
  "a branch is merged once, by envoy or by git, and the prompt is then complete",
  async () => {
    await world.ready("1", { "a.txt": "1\n" });
    const merged = await world.ok(merge("1"));
    const hash = await head();
    expect(merged).toEqual({
      prompt_id: "1",
      worktree_branch: branchOf("1"),
      merge_commit_hash: hash,
      status: "reviewed",
      already_merged: false,
      verification: null,
      note: expect.stringContaining("UNVERIFIED") as string,
    });
    expect(await git("log", "-1", "--format=%s%n%P", hash)).toBe(
      `Merge prompt 1 implementation\n${first} ${await git("rev-parse", branchOf("1"))}`,
    );
    // The checkout of the feature branch was updated.
    expect(await git("status", "--porcelain")).toBe("");
    expect(existsSync(join(world.repository.dir, "a.txt"))).toBe(true);
    expect(await world.ok(merge("1"))).toEqual({ ...merged, already_merged: true });
    expect(await head()).toBe(hash);
    // As if killed before the merge was recorded.
    const { changePrompt } = await import("../../src/plans/prompt/change-prompt.ts");
    const id = { number: 1, variant: null };
    await changePrompt({ dir: world.dir }, id, () => ({ fields: { merge_commit_hash: null }, data: null }));
    expect(await world.ok(merge("1"))).toEqual({ ...merged, already_merged: true });
    // Merged with git alone.
    await world.ready("2", { "b.txt": "1\n" });
    await git("merge", "--quiet", "--no-ff", "-m", "By hand", branchOf("2"));
    const byHand = await head();
    expect(await world.ok(merge("2"))).toMatchObject({ merge_commit_hash: byHand, already_merged: true });
    expect(await git("rev-list", "--merges", "--count", "feature/x")).toBe("2");
    // The last step can be repeated.
    const done = await world.ok(["plan", "complete-prompt", "1"]);
    expect(done).toMatchObject({ id: "1", status: "merged", merge_commit_hash: hash, plan_done: false });
    expect(await world.ok(["plan", "complete-prompt", "1"])).toEqual(done);
    expect(await world.ok(["plan", "complete-prompt", "2"])).toMatchObject({ plan_done: true });
    expect(await world.refused(["plan", "write-prompt", "1", "--description", "x"])).toMatchObject({
      type: "already_merged",
    });
  },
);

verifies(
  ["ENV-59", "ENV-82"],
  "a conflict names the commits of both sides, moves nothing, and is resolved in the worktree",
  async () => {
    await world.ready("1", { "README.md": "one\n" });
    const path = await world.ready("2", { "README.md": "two\n" });
    await world.ok(merge("1"));
    const before = await head();
    const refused = await world.refused(merge("2"));
    expect(refused).toMatchObject({
      code: 2,
      type: "merge_conflict",
      suggestion: expect.stringContaining("git merge feature/x") as string,
    });
    expect(refused.detail).toEqual({
      conflicts: [
        {
          path: "README.md",
          ours_commits: [{ hash: await git("rev-parse", branchOf("1")), message: "Work on 1" }],
          theirs_commits: [{ hash: await git("rev-parse", branchOf("2")), message: "Work on 2" }],
        },
      ],
    });
    expect([
      await head(),
      await git("status", "--porcelain"),
      await git("-C", path, "status", "--porcelain"),
    ]).toEqual([before, "", ""]);
    await git("-C", path, "merge", "--quiet", "feature/x").catch(() => {});
    await writeFile(join(path, "README.md"), "one and two\n");
    await world.ok(commit("2", "Resolve"));
    // The manual resolution was not reviewed.
    expect(await world.refused(merge("2"))).toMatchObject({ type: "approval_lapsed" });
    await world.review("2");
    expect(await world.ok(merge("2"))).toMatchObject({ already_merged: false });
    expect(await git("show", "feature/x:README.md")).toBe("one and two");
  },
);

verifies(
  "ENV-60",
  "the feature branch moves with its checkout, never over uncommitted work, and concurrent merges lose nothing",
  async () => {
    for (const id of ["1", "2", "3"]) await world.ready(id, { [`${id}.txt`]: "new\n" });
    await writeFile(join(world.repository.dir, "1.txt"), "mine\n");
    const refused = await world.refused(merge("1"));
    expect(refused).toMatchObject({ code: 2, type: "checkout_dirty", detail: { paths: ["1.txt"] } });
    expect(await head()).toBe(first);
    await rm(join(world.repository.dir, "1.txt"));
    await writeFile(join(world.repository.dir, "README.md"), "mine\n");
    const { repository, env } = world;
    const agent = (id: string) =>
      new Promise<{ status: string; error?: Json }>((resolve) =>
        execFile(
          process.execPath,
          [packageRoot("dist", "bin", "envoy.js"), ...merge(id)],
          { cwd: repository.dir, env, timeout: 60_000 },
          (_, stdout) => resolve(JSON.parse(stdout) as { status: string }),
        ),
      );
    const answers = await Promise.all(["1", "2", "3"].map(agent));
    for (const [at, { status, error }] of answers.entries())
      if (status !== "success") {
        expect(error).toMatchObject({ type: "branch_moved" });
        await world.ok(merge(`${at + 1}`));
      }
    for (const id of ["1", "2", "3"]) expect(existsSync(join(repository.dir, `${id}.txt`))).toBe(true);
    expect(await git("rev-list", "--merges", "--count", "feature/x")).toBe("3");
    // Changes to other files stay.
    expect(await git("status", "--porcelain")).toBe(" M README.md");
  },
);

const missing = async (id: string, line = merge(id)) => {
  const refused = await world.refused(line);
  expect(refused).toMatchObject({ code: 2, type: "precondition_failed" });
  return refused.detail?.["missing"];
};

verifies("ENV-77", "a missing step prevents the merge", async () => {
  const complete = (id: string) => ["plan", "complete-prompt", ...words(id)];
  await world.ok([
    "plan",
    "write-prompt",
    "1",
    "--description",
    "x",
    "--context",
    "x",
    "--criteria",
    "x",
    "--files",
    "a",
  ]);
  expect(await missing("1")).toContain("not_started");
  const two = await world.prompt("2");
  await writeFile(join(two, "a.txt"), "1\n");
  await git("-C", two, "add", "-A");
  await git("-C", two, "commit", "--quiet", "-m", "Work");
  expect(await missing("2")).toEqual(["no_implementation", "not_reviewed"]);
  await world.ok(record("2", 1, walkthrough(1)));
  expect(await missing("2")).toEqual(["not_reviewed"]);
  await world.review("2");
  await writeFile(join(two, "b.txt"), "1\n");
  await world.review("2");
  expect(await missing("2")).toEqual(["uncommitted_changes"]);
  expect(await missing("2", complete("2"))).toEqual(["uncommitted_changes", "not_merged"]);
  await world.ready("3", { "a.txt": "1\n" }, "--requires-testing");
  expect(await missing("3")).toEqual(["not_tested"]);
  const four = await world.ready("4", { "a.js": "// [DEBUG-TEMP]\nlog();\n\nrun();\n" }, "--debug");
  expect(await missing("4")).toEqual(["not_tested", "debug_markers_left"]);
  await tested("4");
  expect(await missing("4")).toEqual(["debug_markers_left"]);
  expect(existsSync(four)).toBe(true);
  await world.ready("5 A", { "a.txt": "1\n" });
  await world.ready("5 B", { "b.txt": "1\n" });
  expect(await missing("5 A")).toEqual(["variant_unresolved"]);
  const gate = ["plan", "block-prompt-variants-gate", "5", "A"];
  await world.open(gate);
  await world.answer("5_variants", { "variants.A.decision": "main", "variants.B.decision": "alternative" });
  await world.ok(gate);
  expect(await missing("5 B")).toEqual(["not_main_variant"]);
  expect(await missing("5 A", complete("5 A"))).toEqual(["not_merged"]);
  expect(await head()).toBe(first);
});

verifiesInCi("ENV-82", "an approval holds for the shown tree and not for later changes", async () => {
  const path = await world.prompt("1", "--requires-testing");
  await world.implement("1", path);
  await world.review("1");
  await tested("1");
  // The shown work is committed later.
  await world.ok(commit("1"));
  await writeFile(join(path, "src", "a.ts"), "2\n");
  await world.ok(commit("1"));
  const lapsed = await world.refused(merge("1"));
  expect(lapsed).toMatchObject({
    code: 2,
    type: "approval_lapsed",
    detail: { lapsed: ["review", "testing"] },
    suggestion: expect.stringMatching(/gemini review 1.*block-prompt-testing-gate 1/u) as string,
  });
  expect(await head()).toBe(first);
  await writeFile(join(path, "src", "a.ts"), "1\n");
  await writeFile(join(path, "new.txt"), "1\n");
  await world.ok(commit("1"));
  expect(await world.refused(merge("1"))).toMatchObject({ type: "approval_lapsed" });
  await rm(join(path, "new.txt"));
  await world.ok(commit("1"));
  await world.ok(merge("1"));
  // The removal of log statements is covered by the approval; one more byte is not.
  const two = await world.ready("2", { "b.js": "// [DEBUG-TEMP]\nlog();\n\nrun();\n" }, "--debug");
  await tested("2");
  await world.ok(["plan", "cleanup-debug-logs"], two);
  await world.ok(commit("2", "Clean up"));
  await writeFile(join(two, "b.js"), "\nrun(); \n");
  await world.ok(commit("2", "Edit"));
  expect(await world.refused(merge("2"))).toMatchObject({ type: "approval_lapsed" });
  await writeFile(join(two, "b.js"), "\nrun();\n");
  await world.ok(commit("2", "Edit back"));
  await world.ok(merge("2"));
  expect(await git("show", "feature/x:b.js")).toBe("\nrun();");
});

verifies("ENV-75", "the main variant is merged, and an alternative stays unchanged", async () => {
  await world.ready("1 A", { "a.txt": "A\n" });
  const other = await world.ready("1 B", { "a.txt": "B\n" });
  const gate = (letter: string) => ["plan", "block-prompt-variants-gate", "1", letter];
  await world.open(gate("A"));
  await world.answer("1_variants", {
    "variants.A.decision": "main",
    "variants.A.reason": '"shorter"',
    "variants.B.decision": "alternative",
    thoughts: '"both are good"',
  });
  const duration_ms = expect.any(Number) as number;
  const unmerged_alternatives = [branchOf("1 B")];
  expect(await world.ok(gate("A"))).toEqual({
    thoughts: "both are good",
    variant_solution: "main",
    reason: "shorter",
    unmerged_alternatives,
    duration_ms,
  });
  expect(await world.ok(gate("B"))).toMatchObject({ variant_solution: "alternative" });
  const before = await git("rev-parse", branchOf("1 B"));
  await world.ok(merge("1 A"));
  expect(await world.ok(["plan", "complete-prompt", "1", "A"])).toMatchObject({
    unmerged_alternatives: [{ branch: branchOf("1 B"), path: other }],
    plan_done: true,
  });
  expect((await world.fields("prompts/1_B.md"))["variant_solution"]).toBe("alternative");
  expect([await git("rev-parse", branchOf("1 B")), await git("-C", other, "status", "--porcelain")]).toEqual([
    before,
    "",
  ]);
  expect(await git("show", "feature/x:a.txt")).toBe("A");
});

inCi("a branch that got a commit after its merge is not merged", async () => {
  const path = await world.ready("1", { "a.txt": "1\n" });
  await world.ok(merge("1"));
  await writeFile(join(path, "a.txt"), "2\n");
  await world.ok(commit("1"));
  expect(await missing("1", ["plan", "complete-prompt", "1"])).toEqual(["not_merged"]);
  expect(await world.refused(merge("1"))).toMatchObject({ type: "approval_lapsed" });
});
