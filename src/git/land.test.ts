import { existsSync, readFileSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { newFolder } from "../../test/support/folder.ts";
import { inCi, verifies, verifiesInCi } from "../../test/verifies.ts";
import { createRepository, type TempRepository } from "../../test/support/repository.ts";
import { land, landError, planLanding, type LandPlan } from "./land.ts";
import { readRef } from "./refs.ts";
import { headCommit, openRepository, type Repository } from "./repository.ts";

let repo: TempRepository;
let repository: Repository;
let base: string;
let result: string;
let folder: string;
beforeEach(async () => {
  repo = await createRepository({ files: { a: "a\n", b: "b\n", c: "1\n2\n3\n", ".gitignore": "secret\n" } });
  repository = await openRepository(repo.dir, { path: process.env["PATH"] ?? "" });
  base = await headCommit(repository);
  folder = newFolder();
  // What a run leaves: one file edited, one added.
  await repo.git("checkout", "-q", "-b", "mettle/k7m2xq/result");
  await repo.write({ a: "A\n", "new/file": "n\n" });
  result = await repo.commit("The result");
  await repo.git("checkout", "-q", "main");
});

const options = (branch = "main") => ({
  result,
  branch,
  message: { subject: "Land run k7m2xq", trailers: { "Mettle-Run": "k7m2xq" } },
  dateMs: 1_700_000_000_000,
});
const state = async () => ({
  status: await repo.git("--no-optional-locks", "status", "--porcelain", "--ignored", "-uall"),
  index: await repo.git("hash-object", ".git/index"),
  stash: await repo.git("stash", "list"),
  refs: await repo.git("for-each-ref"),
  head: readFileSync(join(repo.dir, ".git/HEAD"), "utf8"),
});
const ready = (plan: LandPlan) => {
  if (plan.type !== "ready") throw new Error(`not ready: ${JSON.stringify(plan)}`);
  return plan;
};

verifiesInCi(
  "ORC-65",
  "planning changes nothing; landing moves branch and files together and keeps the user's other changes",
  async () => {
    await repo.write({ b: "stashed\n" });
    await repo.git("stash");
    await repo.write({ b: "staged\n" });
    await repo.git("add", "b");
    await repo.write({ b: "edited\n", untracked: "u\n" });
    const before = await state();
    const plan = ready(await planLanding(repository, options()));
    expect(plan).toEqual({ type: "ready", how: "fast-forward", branch: "main", from: base, to: result });
    expect(await state()).toEqual(before);

    expect(await land(repository, plan)).toEqual({ type: "landed", branch: "main", commit: result });
    const after = await state();
    expect([after.status, after.stash, await repo.git("rev-parse", "HEAD")]).toEqual([
      "MM b\n?? untracked",
      before.stash,
      result,
    ]);
    expect(
      ["a", "new/file", "b", "untracked"].map((file) => readFileSync(join(repo.dir, file), "utf8")),
    ).toEqual(["A\n", "n\n", "edited\n", "u\n"]);
    expect(await planLanding(repository, options())).toEqual({
      type: "landed_already",
      branch: "main",
      commit: result,
    });
  },
);

inCi("a branch that went on gets a merge commit of both, the same each time", async () => {
  await repo.write({ b: "B\n" });
  const ours = await repo.commit();
  const plan = ready(await planLanding(repository, options()));
  expect(ready(await planLanding(repository, options()))).toEqual(plan);
  expect([
    plan.how,
    await repo.git("log", "-1", "--format=%P|%s|%an|%(trailers:key=Mettle-Run,valueonly)", plan.to),
  ]).toEqual(["merge", `${ours} ${result}|Land run k7m2xq|Mettle|k7m2xq\n`]);
  expect(await land(repository, plan)).toEqual({ type: "landed", branch: "main", commit: plan.to });
  expect(["a", "b"].map((file) => readFileSync(join(repo.dir, file), "utf8"))).toEqual(["A\n", "B\n"]);
  expect(await repo.git("status", "--porcelain")).toBe("");
});

verifies("CORE-34", "a conflict is refused with its files and leaves everything as it was", async () => {
  await repo.write({ a: "other\n" });
  await repo.commit();
  const before = await state();
  const plan = await planLanding(repository, options());
  expect(plan).toEqual({
    type: "refused",
    reason: "conflict",
    branch: "main",
    paths: ["a"],
    why: "the result conflicts with main in a",
  });
  if (plan.type === "refused") expect(landError(plan)).toMatchObject({ code: "land_refused", exitCode: 1 });
  expect(await state()).toEqual(before);
});

inCi("uncommitted content in a touched file is refused, however it hides", async () => {
  const cases: [string, () => Promise<unknown>][] = [
    ["a", () => repo.write({ a: "edited\n" })],
    [
      "a",
      async () => (
        await repo.write({ a: "staged\n" }),
        await repo.git("add", "a"),
        await repo.write({ a: "a\n" })
      ),
    ],
    [
      "a",
      async () => (
        await repo.git("update-index", "--assume-unchanged", "a"),
        await repo.write({ a: "hidden\n" })
      ),
    ],
    ["new/file", () => repo.write({ "new/file": "untracked\n" })],
    ["a", () => repo.write({ a: null })],
  ];
  for (const [path, change] of cases) {
    await change();
    const before = await state();
    expect(await planLanding(repository, options())).toMatchObject({
      type: "refused",
      reason: "dirty",
      paths: [path],
    });
    expect(await state()).toEqual(before);
    await repo.git("update-index", "--no-assume-unchanged", "a");
    await repo.git("reset", "-q", "--hard");
    await repo.git("clean", "-fdq");
  }
  expect(ready(await planLanding(repository, options())).to).toBe(result);
});

test("files that already are as the result has them are in nobody's way (fault E22)", async () => {
  await repo.git("checkout", "-q", "mettle/k7m2xq/result");
  await repo.write({ c: null });
  result = await repo.commit();
  await repo.git("checkout", "-q", "main");
  // As a session leaves its own work in the checkout, beside files of the person's.
  await repo.write({ a: "A\n", "new/file": "n\n", c: null, b: "mine\n" });
  const before = await state();
  const plan = ready(await planLanding(repository, options()));
  expect(await state()).toEqual(before);
  expect(await land(repository, plan)).toEqual({ type: "landed", branch: "main", commit: result });
  expect(await repo.git("status", "--porcelain")).toBe(" M b");
  expect(readFileSync(join(repo.dir, "new/file"), "utf8")).toBe("n\n");
});

inCi(
  "what is staged besides, and a file that differs by a mode, stay in the way and as they were",
  async () => {
    await repo.write({ a: "staged\n" });
    await repo.git("add", "a");
    await repo.write({ a: "A\n", "new/file": "n\n" });
    await repo.git("update-index", "--add", "new/file");
    const before = await state();
    expect(await planLanding(repository, options())).toMatchObject({ reason: "dirty", paths: ["a"] });
    await repo.git("reset", "-q", "--hard");
    await repo.write({ a: "A\n" });
    await chmod(join(repo.dir, "a"), 0o755);
    expect(await planLanding(repository, options())).toMatchObject({ reason: "dirty", paths: ["a"] });
    expect(before.status).toContain("MM a");
  },
);

inCi("an ignored file is not overwritten", async () => {
  await repo.git("checkout", "-q", "mettle/k7m2xq/result");
  await repo.write({ secret: "from the run" });
  await repo.git("add", "-f", "secret");
  result = await repo.commit();
  await repo.git("checkout", "-q", "main");
  await repo.write({ secret: "mine" });
  expect(await planLanding(repository, options())).toMatchObject({ reason: "dirty", paths: ["secret"] });
  expect(readFileSync(join(repo.dir, "secret"), "utf8")).toBe("mine");
});

verifiesInCi(
  "CORE-34",
  "what changed between plan and landing is refused: the branch moved, a file was edited",
  async () => {
    const plan = ready(await planLanding(repository, options()));
    await repo.write({ a: "edited meanwhile\n" });
    const before = await state();
    expect(await land(repository, plan)).toMatchObject({ type: "refused", reason: "dirty", paths: ["a"] });
    expect(await state()).toEqual(before);
    await repo.git("checkout", "-q", "a");
    await repo.write({ b: "B\n" });
    const moved = await repo.commit();
    expect(await land(repository, plan)).toMatchObject({ type: "refused", reason: "moved" });
    expect(await repo.git("rev-parse", "main")).toBe(moved);
  },
);

inCi("a branch that is not checked out moves alone, and one in another worktree moves there", async () => {
  await repo.git("branch", "idle", base);
  await repo.git("worktree", "add", "-q", "-b", "elsewhere", join(folder, "w"), base);
  const before = await state();
  for (const branch of ["idle", "elsewhere"]) {
    expect(await land(repository, ready(await planLanding(repository, options(branch))))).toMatchObject({
      type: "landed",
    });
    expect(await readRef(repository, `refs/heads/${branch}`)).toBe(result);
  }
  expect(readFileSync(join(folder, "w/a"), "utf8")).toBe("A\n");
  expect([existsSync(join(repo.dir, "new/file")), (await state()).status]).toEqual([false, before.status]);
  await expect(planLanding(repository, options("none"))).rejects.toMatchObject({
    code: "revision_unknown",
  });
});

inCi("an unfinished merge of the user's is left alone", async () => {
  await repo.git("checkout", "-q", "-b", "side", base);
  await repo.write({ c: "1\nx\n3\n" });
  await repo.commit();
  await repo.git("checkout", "-q", "main");
  await repo.write({ c: "1\ny\n3\n" });
  const ours = await repo.commit();
  await expect(repo.git("merge", "side")).rejects.toThrow();
  const before = await state();
  const plan = ready(await planLanding(repository, options()));
  expect(await land(repository, plan)).toMatchObject({ type: "refused", reason: "busy" });
  expect([await repo.git("rev-parse", "main"), await state()]).toEqual([ours, before]);
});
