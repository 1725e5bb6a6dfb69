/** Commands that work in a prompt's worktree from the main checkout: `git update-worktree` and others. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect } from "vitest";
import { writeFiles } from "./test-agent.ts";
import { createPromptWorld, type Json, type PlanWorld } from "./plan-world.ts";
import { inCi } from "../verifies.ts";

let world: PlanWorld;
let tree = "";
beforeAll(async () => void ({ world, tree } = await createPromptWorld()));

const update = ["git", "update-worktree", "1"];
const branch = "feature/x--implementation-1";
const commit = (message: string) => world.ok(["git", "commit", "1", "--message", message]);
const onFeature = async (files: Readonly<Record<string, string>>) => {
  await world.repository.write(files);
  await world.repository.git("add", "-A");
  await world.repository.git("commit", "--quiet", "-m", "Theirs");
};

inCi(
  "brings the feature branch into the worktree, and leaves conflicts there until they are resolved",
  async () => {
    const head = () => world.repository.git("rev-parse", branch);
    expect(await world.ok(update)).toEqual({
      branch,
      path: tree,
      commit: await head(),
      updated: false,
      conflicts: [],
    });
    await onFeature({ "theirs.txt": "1\n" });
    await writeFile(join(tree, "README.md"), "mine\n");
    expect(await world.refused(update)).toMatchObject({
      code: 2,
      type: "precondition_failed",
      detail: { missing: ["uncommitted_changes"] },
    });
    await commit("Mine");
    expect(await world.ok(update)).toMatchObject({ updated: true, conflicts: [] });
    expect(await world.repository.git("log", "-1", "--format=%s%n%P", branch)).toMatch(
      /^Merge feature\/x\n\w+ \w+$/u,
    );
    expect(await readFile(join(tree, "theirs.txt"), "utf8")).toBe("1\n");
    const feature = await world.repository.git("rev-parse", "feature/x");
    await onFeature({ "README.md": "theirs\n" });
    const before = await head();
    const conflict = { branch, path: tree, commit: before, updated: false, conflicts: ["README.md"] };
    // A repeated call gives the same answer; only a commit completes the merge.
    for (let times = 0; times < 2; times++) expect(await world.ok(update)).toEqual(conflict);
    expect(await readFile(join(tree, "README.md"), "utf8")).toMatch(/^<{7} HEAD\nmine\n={7}\ntheirs\n>{7}/u);
    await writeFile(join(tree, "README.md"), "both\n");
    await commit("Both");
    expect(await world.ok(update)).toMatchObject({ updated: false, conflicts: [] });
    expect(await world.repository.git("merge-base", branch, "feature/x")).not.toBe(feature);
    expect(await world.repository.git("status", "--porcelain")).toBe("");
    const refused = await world.refused(["git", "update-worktree", "2"]);
    expect(refused).toMatchObject({ code: 2, type: "not_started" });
  },
);

inCi("shows and cleans up the worktree of the named prompt, not the current checkout", async () => {
  const logs = "// [DEBUG-TEMP]\nlog();\n\n";
  await world.repository.write({ "person.ts": logs });
  await writeFile(join(tree, "agent.ts"), logs);
  const mine = await world.ok(["git", "diff-base", "1", "--path", "agent.ts"]);
  expect(mine).toEqual(await world.ok(["git", "diff-base", "--path", "agent.ts"], tree));
  expect(mine["changed_files"]).toMatchObject([{ path: "agent.ts", added: 3 }]);
  expect(await world.ok(["plan", "cleanup-debug-logs", "1"])).toMatchObject({
    files_modified: ["agent.ts"],
    markers_removed: 1,
  });
  expect(await readFile(join(tree, "agent.ts"), "utf8")).toBe("\n");
  expect(await readFile(join(world.repository.dir, "person.ts"), "utf8")).toBe(logs);
  expect(await world.refused(["plan", "cleanup-debug-logs", "7"])).toMatchObject({ type: "not_found" });
});

inCi("self-ignored folders, such as plans and caches of tools, are not part of the work", async () => {
  const own = { ".mypy_cache/.gitignore": "*\n", ".venv/.gitignore": "*\n", ".venv/bin/python": "x\n" };
  await writeFiles(tree, own);
  await commit("All");
  const [mine, persons] = [await world.ok(["git", "diff-base", "1"]), await world.ok(["git", "diff-base"])];
  const paths = (data: Json) => (data["changed_files"] as readonly Json[]).map(({ path }) => path);
  expect(paths(mine)).toEqual(["README.md", "agent.ts", "theirs.txt"]);
  expect(paths(persons)).toEqual(["README.md", "person.ts", "theirs.txt"]);
  const refused = await world.refused(["git", "merge-worktree", "1"]);
  expect(refused).toMatchObject({ detail: { missing: ["no_implementation", "not_reviewed"] } });
});
