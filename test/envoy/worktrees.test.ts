/** The diff against the base branch, and discarded variants. */
import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { inCi, verifies } from "../verifies.ts";
import { createGateWorld, type GateWorld } from "./gate-world.ts";
import { branchOf, commit, promptText } from "./plan-world.ts";

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

verifies(
  "ENV-57",
  "a discarded variant is archived with all its files, once, and its worktree is removed",
  async () => {
    const discard = (letter: string) => ["git", "discard-worktree", "1", letter];
    for (const letter of ["A", "B", "C"]) await world.ready(`1 ${letter}`, { "a.txt": `${letter}\n` });
    expect(await world.refused(discard("B"))).toMatchObject({ code: 2, type: "variant_unresolved" });
    const gate = ["plan", "block-prompt-variants-gate", "1", "A"];
    await world.open(gate);
    await world.answer("1_variants", {
      "variants.A.decision": "main",
      "variants.B.decision": "discard",
      "variants.C.decision": "discard",
    });
    await world.ok(gate);
    expect(await world.refused(discard("A"))).toMatchObject({ type: "variant_unresolved" });
    const path = (await world.ok(["git", "worktree", "1", "B"]))["path"] as string;
    await writeFile(join(path, "later.txt"), "not committed\n");
    // The archive's name exists.
    await git("branch", `archive/${branchOf("1 B")}`, first);
    const archived = `archive/${branchOf("1 B")}-2`;
    const answer = await world.ok(discard("B"));
    expect(answer).toEqual({ archived_branch: archived, worktree_removed: true });
    expect(await git("show", `${archived}:later.txt`)).toBe("not committed");
    expect(await git("show", `${archived}:a.txt`)).toBe("B");
    expect(existsSync(path)).toBe(false);
    expect(await git("branch", "--list", branchOf("1 B"))).toBe("");
    expect(await world.ok(discard("B"))).toEqual(answer);
    // Discarded with git alone.
    const other = (await world.ok(["git", "worktree", "1", "C"]))["path"] as string;
    await git("worktree", "remove", other);
    await git("branch", "-m", branchOf("1 C"), `archive/${branchOf("1 C")}`);
    expect(await world.ok(discard("C"))).toEqual({
      archived_branch: `archive/${branchOf("1 C")}`,
      worktree_removed: true,
    });
    for (const name of [archived, `archive/${branchOf("1 B")}`, `archive/${branchOf("1 C")}`])
      await git("branch", "--quiet", "-D", name);
  },
);

verifies("ENV-56", "the diff against the base has committed, uncommitted and new files", async () => {
  await git("switch", "--quiet", "main");
  await world.repository.write({ "later.txt": "on main since\n" });
  await git("add", "later.txt");
  await git("commit", "--quiet", "-m", "Later");
  await git("switch", "--quiet", "feature/x");
  const path = await world.prompt("1");
  const lines = (count: number, text = "x") => `${text}\n`.repeat(count);
  await writeFile(join(path, "committed.txt"), "1\n2\n3\n");
  await writeFile(join(path, "big.txt"), lines(5000, "++ -- @@ -1 +1 @@"));
  await world.ok(commit("1"));
  await writeFile(join(path, "README.md"), "changed\nmore\n");
  await writeFile(join(path, "new.txt"), "new\n");
  await writeFile(join(path, ".gitignore"), "ignored.txt\n");
  await writeFile(join(path, "ignored.txt"), "mine\n");
  await rm(join(path, "src", "deep", "a.ts"));
  const file = (name: string, added: number, modified: number, deleted: number) => ({
    path: name,
    added,
    modified,
    deleted,
  });
  const changed_files = [
    file(".gitignore", 1, 0, 0),
    file("README.md", 1, 1, 0),
    file("big.txt", 5000, 0, 0),
    file("committed.txt", 3, 0, 0),
    file("new.txt", 1, 0, 0),
    file("src/deep/a.ts", 0, 0, 1),
  ];
  const whole = await world.ok(["git", "diff-base"], path);
  expect({ ...whole, diff: "" }).toEqual({
    diff: "",
    changed_files,
    base_branch: "main",
    current_branch: branchOf("1"),
  });
  for (const part of ["+new\n", "-x\n+changed\n+more\n", "+1\n+2\n+3\n"])
    expect(whole["diff"]).toContain(part);
  expect(await world.ok(["git", "diff-base", "--summary"], path)).toEqual({ ...whole, diff: "" });
  const part = await world.ok(["git", "diff-base", "--path", "src"], path);
  expect(part).toMatchObject({ path: "src", changed_files: [file("src/deep/a.ts", 0, 0, 1)] });
  const env = { ...world.env, BASE_BRANCH: branchOf("1") };
  const { callHere } = await import("../cli/here.ts");
  const { envoy } = await import("../../src/envoy/envoy.ts");
  const based = await callHere(["git", "diff-base"], { cwd: path, env }, envoy);
  expect(JSON.parse(based.stdout)).toMatchObject({
    data: {
      base_branch: branchOf("1"),
      changed_files: [
        { path: ".gitignore" },
        { path: "README.md" },
        { path: "new.txt" },
        { path: "src/deep/a.ts" },
      ],
    },
  });
  await git("branch", "-m", "main", "trunk");
  expect(await world.refused(["git", "diff-base"], path)).toMatchObject({
    code: 2,
    type: "no_base_branch",
  });
  // A branch without common history is skipped for the next existing one.
  await git("branch", "main", await git("commit-tree", "-m", "Elsewhere", `${first}^{tree}`));
  for (const name of ["production", "staging", "develop", "master"]) {
    await git("branch", name, first);
    expect((await world.ok(["git", "diff-base"], path))["base_branch"]).toBe(name);
  }
  await git("branch", "--quiet", "-D", "main", "production", "staging", "develop", "master");
  await git("branch", "-m", "trunk", "main");
});

inCi(
  "mettle clean keeps the worktrees of prompts, and with --all saves and names uncommitted work",
  async () => {
    const [merged, open] = [
      await world.ready("1", { "a.txt": "1\n" }),
      await world.ready("2", { "b.txt": "1\n" }),
    ];
    await world.ok(["git", "merge-worktree", "1"]);
    await world.ok(["plan", "complete-prompt", "1"]);
    await writeFile(join(open, "b.txt"), "not committed\n");
    await world.mettle("clean");
    expect([existsSync(merged), existsSync(open)]).toEqual([true, true]);
    const here = { cwd: world.repository.dir, env: world.env };
    const { callHere } = await import("../cli/here.ts");
    const answer = (await callHere(["clean", "--all"], here)).stdout;
    expect(answer).toContain(`removed after its uncommitted work is rescued: ${open}\n`);
    expect(answer).toContain(`remove  ${merged}\n`);
    expect(existsSync(open)).toBe(true);
    await callHere(["clean", "--all", "--yes"], here);
    expect([existsSync(merged), existsSync(open)]).toEqual([false, false]);
    const [ref = ""] = (await git("for-each-ref", "--format=%(refname)", "refs/mettle/rescue")).split("\n");
    expect(await git("show", `${ref}:b.txt`)).toBe("not committed");
    expect(await git("rev-parse", `${ref}^`)).toBe(await git("rev-parse", branchOf("2")));
    // The plan and the branches stay, so that work resumes at the last commit.
    expect(await world.ok(["git", "worktree", "2"])).toMatchObject({ created: false, path: open });
  },
);

test("a worktree that is removed or broken at this moment hides no other", async () => {
  await world.prompt("1");
  const broken = join(world.repository.dir, "..", `broken-${first.slice(0, 8)}`);
  await git("worktree", "add", "--quiet", "--detach", broken);
  await rm(join(broken, ".git"));
  await mkdir(join(broken, ".git"));
  try {
    await world.ok(["plan", "write-prompt", "2", ...promptText]);
    await world.ok(["plan", "start-prompt", "2", "--specialist", "worker", "--worktree", branchOf("2")]);
    expect(await world.ok(["git", "worktree", "2"])).toMatchObject({ created: true });
  } finally {
    await rm(broken, { recursive: true, force: true });
    await git("worktree", "prune");
  }
});
