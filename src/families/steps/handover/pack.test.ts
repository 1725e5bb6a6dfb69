import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newFolder } from "../../../../test/support/folder.ts";
import { createRepository } from "../../../../test/support/repository.ts";
import { openRepository } from "../../../git/repository.ts";
import { readPack } from "./pack.ts";

const commit = "1".repeat(40);
const good = { version: 1, branch: "feature/x", commit, branches: [] as unknown[] };
const branch = (name: string, id = commit) => ({ name, commit: id, work: null });

/** Reads a pack that somebody pushed. */
async function reading(contents: unknown) {
  const temp = await createRepository({ files: { "a.txt": "a\n" } });
  const file = join(newFolder(), "pack.json");
  writeFileSync(file, JSON.stringify(contents));
  const blob = (await temp.git("hash-object", "-w", file)).trim();
  const plan = (await temp.git("rev-parse", "HEAD^{tree}")).trim();
  await temp.git("read-tree", "--empty");
  await temp.git("update-index", "--add", "--cacheinfo", `100644,${blob},pack.json`);
  await temp.git("read-tree", "--prefix=plan/", plan);
  const id = (await temp.git("commit-tree", "-m", "pack", (await temp.git("write-tree")).trim())).trim();
  const repository = await openRepository(temp.dir, { path: process.env["PATH"] ?? "" });
  return { plan, read: readPack(repository, id, "feature/x") };
}

test("a pack has the branches of its plan's prompts, archived ones too", async () => {
  const branches = ["", "archive/"].map((folder) => branch(`${folder}feature/x--implementation-1-A`));
  const { plan, read } = await reading({ ...good, branches });
  expect(await read).toMatchObject({ branch: "feature/x", branches, plan });
});

test.each<[string, unknown]>([
  ["of another branch", { ...good, branch: "main" }],
  ["that moves a branch of no prompt", { ...good, branches: [branch("main")] }],
  ["that moves a branch of another plan", { ...good, branches: [branch("feature/y--implementation-1")] }],
  [
    "with an option instead of a commit",
    { ...good, branches: [branch("feature/x--implementation-1", "--all")] },
  ],
  ["of a newer version", { ...good, version: 2 }],
])("a pack %s is refused", async (_, contents) => {
  const { read } = await reading(contents);
  await expect(read).rejects.toMatchObject({ code: "plan_differs" });
});
