import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { appendFile, chmod, mkdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { newFolder } from "../../../test/support/folder.ts";
import { createRepository, type TempRepository } from "../../../test/support/repository.ts";
import { land, planLanding } from "../land.ts";
import { openRepository, type Repository } from "../repository.ts";
import { rescue } from "../rescue.ts";
import { snapshot } from "../objects/snapshot.ts";
import { readFile as readBlob } from "../objects/tree.ts";
import { addWorktree } from "../worktree/worktree.ts";
import { checkoutHead } from "./uncommitted.ts";
import { inCi } from "../../../test/verifies.ts";

const path = process.env["PATH"] ?? "";
const secret = "plain-text-of-a-secret";
const has = (program: string) => path.split(":").some((folder) => existsSync(join(folder, program)));

let folder: string;
let home: string;
let repo: TempRepository;
beforeEach(async () => {
  folder = newFolder();
  home = join(folder, "home");
  await mkdir(home);
  repo = await createRepository({ files: { "src/plain.js": "1\n" } });
});

/** As the user has it, with their own home. */
const opened = () =>
  openRepository(repo.dir, { path, user: { PATH: path, HOME: home, GIT_CONFIG_NOSYSTEM: "1" } });
const asUser = (...args: string[]) =>
  execFileSync("git", args, {
    cwd: repo.dir,
    env: { PATH: path, HOME: home, GIT_CONFIG_NOSYSTEM: "1" },
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
const commit = () => {
  asUser("add", "--all");
  asUser("-c", "user.name=P", "-c", "user.email=p@localhost", "commit", "-q", "-m", "Change");
  return asUser("rev-parse", "HEAD").trim();
};
/** Everything in the store, whether something leads to it or not. */
const objects = () =>
  execFileSync("git", ["cat-file", "--batch-all-objects", "--batch"], {
    cwd: repo.dir,
    env: { PATH: path },
    maxBuffer: 1 << 28,
  }).toString("latin1");
const workspaceAt = (repository: Repository, base: string, name: string) =>
  addWorktree(repository, { path: join(folder, name), commit: base });

/** Turns letters around; the filter of a user's own, as transcrypt and sops have one. */
async function rot13(settings: "--local" | "--global"): Promise<void> {
  asUser("config", settings, "filter.turn.clean", "tr A-Za-z N-ZA-Mn-za-m");
  asUser("config", settings, "filter.turn.smudge", "tr A-Za-z N-ZA-Mn-za-m");
  await repo.write({ ".gitattributes": "secrets/** filter=turn\n", "secrets/key": `${secret}\n` });
}

/** The ways by which an agent, or a session, leaves files that are not committed. */
async function leavesNothing(file: string): Promise<void> {
  const base = commit();
  expect(objects()).not.toContain(secret);
  const repository = await opened();
  const stored = (await readBlob(repository, { commit: base, path: file }))?.toString("latin1") ?? "";

  // An agent's workspace holds what is committed, and not what only the user can read.
  const workspace = await workspaceAt(repository, base, "agent");
  expect(await readFile(join(workspace, file), "latin1")).toBe(stored);
  await writeFile(join(workspace, file), `${secret} in an old file`);
  await writeFile(join(workspace, dirname(file), "new"), `${secret} in a new file`);
  await writeFile(join(workspace, "src/plain.js"), "2\n");
  const taken = await snapshot(repository, { workspace, base });
  expect(taken.changed).toEqual([{ path: "src/plain.js", status: "modified" }]);
  expect(taken.leftOut.map(({ path: name, reason }) => [name, reason])).toEqual([
    [file, "filter"],
    [join(dirname(file), "new"), "filter"],
  ]);
  await rescue(repository, { run: "k", key: "k", reason: "r", work: { workspace, base }, dateMs: 0 });

  // Without the line of `.gitattributes` it is no less a secret.
  await rm(join(workspace, ".gitattributes"));
  const unruled = await snapshot(repository, { workspace, base });
  expect(unruled.leftOut.map(({ path: name }) => name)).toContain(file);

  // In the user's own checkout it is decrypted on disk, and comes from the index, touched or not.
  expect(await readFile(join(repo.dir, file), "latin1")).toContain(secret);
  const own = () => snapshot(repository, { workspace: repo.dir, base });
  expect((await own()).changed).toEqual([]);
  await utimes(join(repo.dir, file), 1_000, 1_000);
  expect((await own()).changed).toEqual([]);
  expect((await checkoutHead(repository)).isDirty).toBe(false);

  // What the user changed there is stored as their filter makes it.
  await appendFile(join(repo.dir, file), `${secret} once more`);
  const cleaned = await own();
  expect(cleaned.changed).toEqual([{ path: file, status: "modified" }]);
  const blob = (await readBlob(repository, { commit: cleaned.tree, path: file }))?.toString("latin1") ?? "";
  expect(blob).not.toBe(stored);
  asUser("checkout", "-q", file);
  expect(objects()).not.toContain(secret);
}

test.skipIf(!has("git-crypt"))(
  "what git-crypt encrypts is stored by nothing in plain (fault S1)",
  async () => {
    asUser("-c", "init.defaultBranch=main", "config", "user.name", "P");
    execFileSync("git-crypt", ["init"], { cwd: repo.dir, env: { PATH: path, HOME: home }, stdio: "pipe" });
    await repo.write({
      ".gitattributes": "secrets/** filter=git-crypt diff=git-crypt\n",
      "secrets/key": `${secret}\n`,
    });
    await leavesNothing("secrets/key");
  },
);

test.skipIf(!has("git-lfs"))("what LFS keeps elsewhere is stored by nothing (fault S1)", async () => {
  execFileSync("git", ["lfs", "install", "--skip-repo"], {
    cwd: repo.dir,
    env: { PATH: path, HOME: home },
    stdio: "pipe",
  });
  await repo.write({
    ".gitattributes": "*.bin filter=lfs diff=lfs merge=lfs -text\n",
    "assets/a.bin": `${secret}\n`,
  });
  const base = commit();
  const repository = await opened();
  expect((await snapshot(repository, { workspace: repo.dir, base })).changed).toEqual([]);
  expect((await checkoutHead(repository)).isDirty).toBe(false);
  const workspace = await workspaceAt(repository, base, "agent");
  await writeFile(join(workspace, "assets/a.bin"), secret);
  const { leftOut, changed } = await snapshot(repository, { workspace, base });
  expect([changed, leftOut.map(({ path: name }) => name)]).toEqual([[], ["assets/a.bin"]]);
  await writeFile(join(repo.dir, "assets/a.bin"), `${secret} changed`);
  const { tree } = await snapshot(repository, { workspace: repo.dir, base });
  expect((await readBlob(repository, { commit: tree, path: "assets/a.bin" }))?.toString()).toMatch(
    /^version https:\/\/git-lfs/u,
  );
  expect(objects()).not.toContain(secret);
});

test("a filter of the user's own configuration counts as much as one of the repository's (fault S1)", async () => {
  await rot13("--global");
  await leavesNothing("secrets/key");
});

inCi("attributes that only the user has decide too: info/attributes, and their own file", async () => {
  await rot13("--local");
  await repo.write({ ".gitattributes": null });
  await mkdir(join(repo.dir, ".git/info"), { recursive: true });
  await writeFile(join(repo.dir, ".git/info/attributes"), "secrets/* filter=turn\n");
  const base = commit();
  const repository = await opened();
  const workspace = await workspaceAt(repository, base, "agent");
  await writeFile(join(workspace, "secrets/key"), secret);
  expect((await snapshot(repository, { workspace, base })).leftOut).toHaveLength(1);
  await rm(join(repo.dir, ".git/info/attributes"));
  await mkdir(join(home, ".config/git"), { recursive: true });
  await writeFile(join(home, ".config/git/attributes"), "secrets/* filter=turn\n");
  expect((await snapshot(repository, { workspace, base })).leftOut).toHaveLength(1);
  expect(objects()).not.toContain(secret);
});

test("a filter that fails, or that nobody has set up, is refused and never passed over (fault S1)", async () => {
  await rot13("--local");
  const base = commit();
  await writeFile(join(repo.dir, "secrets/key"), `${secret} changed`);
  asUser("config", "filter.turn.clean", "false");
  const own = async () => snapshot(await opened(), { workspace: repo.dir, base });
  await expect(own()).rejects.toMatchObject({ code: "filtered_path", exitCode: 2 });
  asUser("config", "--remove-section", "filter.turn");
  await expect(own()).rejects.toMatchObject({ code: "filtered_path" });
  expect(objects()).not.toContain(secret);
});

inCi("a file that its filter leaves as it is is stored like any other", async () => {
  asUser("config", "filter.same.clean", "cat");
  await repo.write({ ".gitattributes": "*.js filter=same\n", "src/b.js": "b\n" });
  const base = commit();
  const repository = await opened();
  const workspace = await workspaceAt(repository, base, "agent");
  await writeFile(join(workspace, "src/b.js"), "changed\n");
  await chmod(join(workspace, "src/b.js"), 0o755);
  const { tree, changed, leftOut } = await snapshot(repository, { workspace, base });
  expect([changed, leftOut]).toEqual([[{ path: "src/b.js", status: "modified" }], []]);
  expect((await readBlob(repository, { commit: tree, path: "src/b.js" }))?.toString()).toBe("changed\n");
});

inCi("landing writes files into the user's checkout as their own git would", async () => {
  await rot13("--global");
  commit();
  asUser("switch", "-q", "-c", "result");
  await repo.write({ "secrets/key": "another\n" });
  const result = commit();
  asUser("switch", "-q", "main");
  const repository = await opened();
  const message = { subject: "Land", trailers: {} };
  const plan = await planLanding(repository, { result, branch: "main", message, dateMs: 0 });
  expect(plan.type === "ready" ? await land(repository, plan) : plan).toMatchObject({ type: "landed" });
  expect(await readFile(join(repo.dir, "secrets/key"), "utf8")).toBe("another\n");
  expect(asUser("status", "--porcelain")).toBe("");
});
