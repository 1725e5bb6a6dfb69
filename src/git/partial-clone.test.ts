import { execFileSync } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { newFolder } from "../../test/support/folder.ts";
import { createRepository, type TempRepository } from "../../test/support/repository.ts";
import { fetchMissing } from "./partial-clone.ts";
import { headCommit, openRepository } from "./repository.ts";
import { unsignedNote } from "./signing.ts";
import { addWorktree } from "./worktree/worktree.ts";

const path = process.env["PATH"] ?? "";
let folder: string;
let home: string;
let repo: TempRepository;
beforeAll(async () => {
  folder = newFolder();
  home = join(folder, "home");
  await mkdir(home);
  repo = await createRepository({ files: { "src/deep/a.js": "a\n", b: "b\n" } });
  await repo.git("config", "uploadpack.allowFilter", "true");
  await repo.git("config", "uploadpack.allowAnySHA1InWant", "true");
  // An address that only the user's own settings can read.
  const settings = `[url "file://${repo.dir}"]\n\tinsteadOf = mine:project\n[protocol "file"]\n\tallow = always\n`;
  await writeFile(join(home, ".gitconfig"), settings);
});

const user = () => ({ PATH: path, HOME: home, GIT_CONFIG_NOSYSTEM: "1" });
const clone = (filter: string, name = filter.replaceAll(":", "-")) => {
  const dir = join(folder, name);
  execFileSync("git", ["clone", "-q", "--no-checkout", `--filter=${filter}`, "mine:project", dir], {
    env: user(),
    stdio: "pipe",
  });
  return dir;
};

for (const filter of ["blob:none", "tree:0"])
  test(`a clone with --filter=${filter} gets what is missing by the user's own settings (fault E12)`, async () => {
    const repository = await openRepository(clone(filter), { path, user: user() });
    const commit = await headCommit(repository);
    await fetchMissing(repository, commit);
    await fetchMissing(repository, commit);
    const worktree = await addWorktree(repository, { path: join(folder, `w-${filter}`), commit });
    expect(await readFile(join(worktree, "src/deep/a.js"), "utf8")).toBe("a\n");
  });

test("what cannot be fetched is said with the remote's own words, and not as a full disk (fault E12)", async () => {
  const repository = await openRepository(clone("blob:none", "unreachable"), {
    path,
    user: { ...user(), HOME: folder },
  });
  await expect(fetchMissing(repository, await headCommit(repository))).rejects.toMatchObject({
    code: "objects_missing",
    exitCode: 5,
    hint: expect.stringContaining("git fetch origin") as string,
  });
});

test("a repository whose user signs is told so, wherever they say that they sign (fault E15)", async () => {
  const opened = () => openRepository(repo.dir, { path, user: user() });
  expect(await unsignedNote(await opened(), "0".repeat(40))).toBe(null);
  await repo.git("config", "commit.gpgsign", "yes");
  expect(await unsignedNote(await opened(), "abc")).toContain("git rebase --force-rebase --gpg-sign abc");
  await repo.git("config", "--unset", "commit.gpgsign");
  execFileSync("git", ["config", "--global", "commit.gpgSign", "true"], { env: user() });
  expect(await unsignedNote(await opened(), "abc")).not.toBe(null);
});
