import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createRepository } from "../../test/support/repository.ts";
import { deleteRef, listRefs, readRef, updateRef } from "./refs.ts";
import { openRepository } from "./repository.ts";
import { inCi } from "../../test/verifies.ts";

const path = process.env["PATH"] ?? "";

async function withCommits(count: number) {
  const repo = await createRepository();
  const commits = [await repo.git("rev-parse", "HEAD")];
  while (commits.length < count) commits.push(await repo.commit(`number ${commits.length}`));
  return { repo, commits, repository: await openRepository(repo.dir, { path }) };
}

inCi("a ref moves only from where it is expected to stand", async () => {
  const { commits, repository } = await withCommits(3);
  const [one = "", two = "", three = ""] = commits;
  const ref = "refs/mettle/x";
  const steps = [
    await readRef(repository, ref),
    await updateRef(repository, { ref, to: two, from: one }), // it does not exist
    await updateRef(repository, { ref, to: one, from: null }),
    await updateRef(repository, { ref, to: two, from: null }), // it exists
    await updateRef(repository, { ref, to: one, from: null }), // again: it stands there already
    await updateRef(repository, { ref, to: two, from: one }),
    await updateRef(repository, { ref, to: three, from: one }), // it moved
    await readRef(repository, ref),
    await deleteRef(repository, { ref, from: one }), // it moved
    await deleteRef(repository, { ref, from: two }),
    await deleteRef(repository, { ref, from: two }), // again: gone already
    await readRef(repository, ref),
  ];
  expect(steps).toEqual([null, false, true, false, true, true, false, two, false, true, true, null]);
  await expect(updateRef(repository, { ref: "refs/mettle/..", to: one, from: null })).rejects.toMatchObject({
    code: "git_failed",
  });
});

test("a ref that would be the folder of another, or lie in one, is refused with both names (fault E13)", async () => {
  const { commits, repository } = await withCommits(1);
  const [to = ""] = commits;
  await updateRef(repository, { ref: "refs/heads/mettle", to, from: null });
  await updateRef(repository, { ref: "refs/mettle/rescue/run/node/key", to, from: null });
  for (const [ref, other] of [
    ["refs/heads/mettle/run/work", "refs/heads/mettle"],
    ["refs/mettle/rescue/run/node", "refs/mettle/rescue/run/node/key"],
  ] as const)
    await expect(updateRef(repository, { ref, to, from: null })).rejects.toMatchObject({
      code: "ref_blocked",
      message: `git cannot have ${ref} beside ${other}`,
      detail: { ref, other },
    });
});

inCi("of ten that move a ref at once exactly one succeeds, whatever the user's hooks say", async () => {
  const { repo, commits, repository } = await withCommits(11);
  await mkdir(join(repo.dir, ".git/hooks"), { recursive: true });
  await writeFile(join(repo.dir, ".git/hooks/reference-transaction"), "#!/bin/sh\nexit 1\n", {
    mode: 0o755,
  });
  const [from = "", ...targets] = commits;
  const ref = "refs/heads/mettle/run/result";
  expect(await updateRef(repository, { ref, to: from, from: null })).toBe(true);
  const moved = await Promise.all(targets.map((to) => updateRef(repository, { ref, to, from })));
  expect(moved.filter((yes) => yes).length).toBe(1);
  expect(await readRef(repository, ref)).toBe(targets[moved.indexOf(true)]);
});

test("refs are listed by prefix with their commits", async () => {
  const { commits, repository } = await withCommits(2);
  const [one = "", two = ""] = commits;
  await updateRef(repository, { ref: "refs/mettle/rescue/b", to: two, from: null });
  await updateRef(repository, { ref: "refs/mettle/rescue/a", to: one, from: null });
  await updateRef(repository, { ref: "refs/mettle/rescued", to: one, from: null });
  expect(await listRefs(repository, "refs/mettle/rescue/")).toEqual([
    { ref: "refs/mettle/rescue/a", commit: one },
    { ref: "refs/mettle/rescue/b", commit: two },
  ]);
  expect(await listRefs(repository, "refs/none/")).toEqual([]);
});
