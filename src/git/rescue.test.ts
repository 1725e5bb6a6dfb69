import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { newFolder } from "../../test/support/folder.ts";
import { inCi, verifiesInCi } from "../../test/verifies.ts";
import { createRepository, type TempRepository } from "../../test/support/repository.ts";
import { listRefs, updateRef } from "./refs.ts";
import { headCommit, openRepository, type Repository } from "./repository.ts";
import { refSafe, rescue } from "./rescue.ts";
import { readFile } from "./objects/tree.ts";
import { addWorktree, removeWorktree } from "./worktree/worktree.ts";

let repo: TempRepository;
let repository: Repository;
let base: string;
let folder: string;
beforeEach(async () => {
  repo = await createRepository({ files: { a: "a" } });
  repository = await openRepository(repo.dir, { path: process.env["PATH"] ?? "" });
  base = await headCommit(repository);
  folder = newFolder();
});

const dateMs = 1_700_000_000_000;
const run = "k7m2xq";

verifiesInCi(
  "CORE-71",
  "half-done, rejected, reset, timed-out and aborted work is found again by the named ref, with its reason",
  async () => {
    const kinds = [
      { key: "red#1:writer", reason: "half-done when the machine stopped", committed: false },
      { key: "green#2", reason: "rejected by the reviewer:\nthe name is wrong", committed: true },
      { key: "green#2", reason: "reset by a person", committed: true },
      { key: "refactor#1", reason: "timed out after 600 s", committed: false },
      { key: "../x.lock @{y}", reason: "aborted", committed: false },
    ];
    const refs: string[] = [];
    for (const [index, { key, reason, committed }] of kinds.entries()) {
      const workspace = await addWorktree(repository, { path: join(folder, `w${index}`), commit: base });
      await writeFile(join(workspace, `work-${index}`), `content ${index}`);
      let work: Parameters<typeof rescue>[1]["work"] = { workspace, base };
      if (committed) {
        const tree = await rescue(repository, {
          run: "other",
          key: `tree-${index}`,
          reason: "made for this test",
          work,
          dateMs,
        });
        work = { commit: tree?.commit ?? "" };
      }
      const saved = await rescue(repository, { run, key, reason, work, dateMs });
      refs.push(saved?.ref ?? "none");
      await removeWorktree(repository, workspace);
    }
    expect(refs).toEqual([
      "refs/mettle/rescue/k7m2xq/red-1-writer",
      "refs/mettle/rescue/k7m2xq/green-2",
      "refs/mettle/rescue/k7m2xq/green-2-2",
      "refs/mettle/rescue/k7m2xq/refactor-1",
      "refs/mettle/rescue/k7m2xq/x-lock-y",
    ]);
    for (const { ref } of await listRefs(repository, "refs/mettle/rescue/other/"))
      await repo.git("update-ref", "-d", ref);
    await repo.git("reflog", "expire", "--expire=now", "--all");
    await repo.git("gc", "--quiet", "--prune=now");
    for (const [index, ref] of refs.entries()) {
      expect((await readFile(repository, { commit: ref, path: `work-${index}` }))?.toString()).toBe(
        `content ${index}`,
      );
      expect(await repo.git("log", "-1", "--format=%B", ref)).toContain(kinds[index]?.reason);
    }
  },
);

inCi("the same rescue again answers the same ref, other work of the key never overwrites it", async () => {
  const workspace = await addWorktree(repository, { path: join(folder, "w"), commit: base });
  const options = { run, key: "red#1", reason: "timed out", work: { workspace, base }, dateMs };
  await writeFile(join(workspace, "work"), "1");
  const first = await rescue(repository, options);
  expect(await rescue(repository, options)).toEqual(first);
  await writeFile(join(workspace, "work"), "2");
  const many = await Promise.all(
    [options, options, { ...options, dateMs: dateMs + 5_000 }].map((each) => rescue(repository, each)),
  );
  const names = (await listRefs(repository, "refs/mettle/")).map(({ ref }) => ref.split("/").at(-1));
  expect(names).toEqual(["red-1", "red-1-2", "red-1-3"]);
  expect(many[0]).toEqual(many[1]);
  expect((await readFile(repository, { commit: first?.ref ?? "", path: "work" }))?.toString()).toBe("1");
});

test("work whose name is the folder of other work, or lies in other work, gets a number of its own (fault D1)", async () => {
  const work = { commit: base };
  const of = (key: string, node?: string) =>
    rescue(repository, { run, key, ...(node === undefined ? {} : { node }), reason: "r", work, dateMs });
  const kept = [
    await of("mend#1"),
    await of("rebaser#1", "mend-1"),
    await of("rebaser#1", "shop--tax"),
    await of("shop--tax"),
    await of("rebaser#1", "shop--tax"),
    await of("shop--tax"),
  ];
  expect(kept.map((one) => one?.ref)).toEqual([
    "refs/mettle/rescue/k7m2xq/mend-1",
    "refs/mettle/rescue/k7m2xq/mend-1-2/rebaser-1",
    "refs/mettle/rescue/k7m2xq/shop-tax/rebaser-1",
    "refs/mettle/rescue/k7m2xq/shop-tax-2",
    "refs/mettle/rescue/k7m2xq/shop-tax/rebaser-1",
    "refs/mettle/rescue/k7m2xq/shop-tax-2",
  ]);
});

test("keys that differ only behind the longest name a ref may have are two names", () => {
  const deep = "work/children/children/".repeat(12);
  expect(refSafe(`${deep}impl#1`)).not.toBe(refSafe(`${deep}impl#2`));
  expect(refSafe(`${deep}impl#1`)).toBe(refSafe(`${deep}impl#1`));
  expect(refSafe(`${deep}impl#1`).length).toBeLessThanOrEqual(100);
});

test("a workspace that differs in nothing needs no rescue", async () => {
  const workspace = await addWorktree(repository, { path: join(folder, "w"), commit: base });
  expect(await rescue(repository, { run, key: "k", reason: "r", work: { workspace, base }, dateMs })).toBe(
    null,
  );
  expect(await listRefs(repository, "refs/mettle/")).toEqual([]);
});

test("a commit stays reachable when its branch goes", async () => {
  await repo.git("checkout", "-q", "-b", "side");
  await repo.write({ a: "side" });
  const side = await repo.commit();
  await repo.git("checkout", "-q", "main");
  const saved = await rescue(repository, { run, key: "k", reason: "r", work: { commit: side }, dateMs });
  expect(await updateRef(repository, { ref: "refs/heads/side", to: base, from: side })).toBe(true);
  expect(await repo.git("rev-parse", `${saved?.ref}^`)).toBe(side);
});
