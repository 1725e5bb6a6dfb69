import { execFileSync } from "node:child_process";
import { mkdir, readFile, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { newFolder } from "../../../test/support/folder.ts";
import { createRepository, type TempRepository } from "../../../test/support/repository.ts";
import { checkoutFiles } from "./checkout-files.ts";
import { land, planLanding } from "../land.ts";
import { openRepository, uncommittedPaths } from "../repository.ts";
import { snapshot } from "../objects/snapshot.ts";
import { listFiles, readFile as readBlob, treeOf } from "../objects/tree.ts";
import { uncommittedOn } from "./uncommitted.ts";
import { addWorktree } from "../worktree/worktree.ts";
import { inCi } from "../../../test/verifies.ts";

const path = process.env["PATH"] ?? "";
let folder: string;
let home: string;
let repo: TempRepository;
beforeEach(async () => {
  folder = newFolder();
  home = join(folder, "home");
  await mkdir(home);
  repo = await createRepository({ files: { a: "a\n", "src/b": "b\n", ".gitignore": "*.log\n" } });
});

const user = () => ({ PATH: path, HOME: home, GIT_CONFIG_NOSYSTEM: "1" });
const opened = () => openRepository(repo.dir, { path, user: user() });
const asUser = (...args: string[]) =>
  execFileSync("git", args, {
    cwd: repo.dir,
    env: user(),
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
const own = async () => {
  const base = asUser("rev-parse", "HEAD").trim();
  return snapshot(await opened(), { workspace: repo.dir, base });
};
const changes = async () => (await own()).changed.map((change) => `${change.status} ${change.path}`);

test("no file that only the user ignores is stored, listed or counted, whichever of their rules says so (fault S2)", async () => {
  const names = ["global.txt", "included.txt", "info.txt", "src/nested.txt"];
  await writeFile(join(home, "ignore"), "global.txt\n");
  asUser("config", "--global", "core.excludesFile", "~/ignore");
  await mkdir(join(repo.dir, ".git/info"), { recursive: true });
  await writeFile(join(repo.dir, ".git/info/exclude"), "info.txt\n");
  await repo.write({ "src/.gitignore": "nested.txt\n.gitignore\n" });
  for (const name of [...names, "new.txt"]) await repo.write({ [name]: "hunter2" });

  const repository = await opened();
  const base = asUser("rev-parse", "HEAD").trim();
  const agents = await addWorktree(repository, { path: join(folder, "agent"), commit: base });
  for (const name of ["global.txt", "info.txt"])
    await writeFile(join(agents, name), "made by an agent's tool");
  const inWorkspace = await snapshot(repository, { workspace: agents, base });
  expect([inWorkspace.changed, inWorkspace.ignored.toSorted()]).toEqual([[], ["global.txt", "info.txt"]]);

  expect(await changes()).toEqual(["added included.txt", "added new.txt"]);
  // A file that the configuration takes in for this folder alone names another ignore file.
  await writeFile(join(home, "more"), `[core]\n\texcludesFile = ${join(home, "other")}\n`);
  await writeFile(join(home, "other"), "global.txt\nincluded.txt\n");
  asUser("config", "--global", `includeIf.gitdir:${repo.dir}/.path`, join(home, "more"));
  expect(await changes()).toEqual(["added new.txt"]);
  expect(await uncommittedPaths(repository)).toEqual(["new.txt"]);
  expect(await uncommittedOn(repository, "main")).toEqual(["new.txt"]);
  expect(await checkoutFiles(repository, ["**/*.txt"])).toEqual(["new.txt"]);

  asUser("config", "--global", "--unset-all", "core.excludesFile");
  asUser("config", "--global", "--unset-all", `includeIf.gitdir:${repo.dir}/.path`);
  await mkdir(join(home, ".config/git"), { recursive: true });
  await writeFile(join(home, ".config/git/ignore"), "global.txt\nincluded.txt\n");
  expect(await changes()).toEqual(["added new.txt"]);
  expect(await uncommittedPaths(await opened())).toEqual(["new.txt"]);
});

test("a file that the base ignores stays out, though a line was taken from .gitignore", async () => {
  await repo.write({ "secret.log": "hunter2", ".gitignore": "" });
  expect(await changes()).toEqual(["modified .gitignore"]);
});

inCi(
  "edits, deletions, new files and links are seen, with a file that is as new as the index, and whatever its flags say",
  async () => {
    asUser("update-index", "--assume-unchanged", "a");
    asUser("update-index", "--skip-worktree", "src/b");
    await repo.write({ a: "A\n", "src/b": "B\n", "new ü": "n" });
    await symlink("a", join(repo.dir, "link"));
    const index = await readFile(join(repo.dir, ".git/index"));
    const { tree, changed } = await own();
    expect(changed.map((change) => `${change.status} ${change.path}`)).toEqual([
      "modified a",
      "added link",
      "added new ü",
      "modified src/b",
    ]);
    expect((await readBlob(await opened(), { commit: tree, path: "a" }))?.toString()).toBe("A\n");
    expect(await readFile(join(repo.dir, ".git/index"))).toEqual(index);
    await repo.write({ "new ü": null, a: "a\n", "src/b": "b\n" });
    await rm(join(repo.dir, "link"));
    asUser("update-index", "--no-assume-unchanged", "a");
    asUser("update-index", "--no-skip-worktree", "src/b");
    // The same size, and written in the moment in which the index was.
    asUser("update-index", "--refresh");
    await repo.write({ a: "x\n" });
    expect(await changes()).toEqual(["modified a"]);
    await repo.write({ a: null, "src/b": null });
    expect(await changes()).toEqual(["deleted a", "deleted src/b"]);
  },
);

test("what a sparse checkout does not have on disk is no deletion", async () => {
  asUser("sparse-checkout", "set", "--no-cone", "/a", "/.gitignore");
  expect(await changes()).toEqual([]);
  const { tree } = await own();
  const repository = await opened();
  expect(tree).toBe(await treeOf(repository, "HEAD"));
  expect((await listFiles(repository, tree)).map((file) => file.path)).toContain("src/b");
});

for (const { name, settings, attributes } of [
  { name: "core.autocrlf", settings: [["core.autocrlf", "true"]], attributes: null },
  {
    name: "core.eol with text=auto, and core.safecrlf",
    settings: [
      ["core.eol", "crlf"],
      ["core.safecrlf", "true"],
    ],
    attributes: "* text=auto\n",
  },
  { name: "eol=crlf", settings: [["core.safecrlf", "true"]], attributes: "* eol=crlf\n" },
])
  test(`with ${name} a clean checkout has no changes, and a result lands in it (fault D7)`, async () => {
    if (attributes !== null) await repo.write({ ".gitattributes": attributes });
    await repo.commit();
    for (const [key = "", value = ""] of settings) asUser("config", "--global", key, value);
    await repo.git("checkout", "-q", "-b", "result");
    await repo.write({ a: "A\n", "new/file": "n\n" });
    await repo.git("add", "--all");
    await repo.git("commit", "-q", "-m", "The result");
    const result = await repo.git("rev-parse", "HEAD");
    await repo.git("checkout", "-q", "main");
    await rm(join(repo.dir, "a"));
    await rm(join(repo.dir, "src/b"));
    asUser("checkout", "-q", "--", "a", "src/b");
    expect(await readFile(join(repo.dir, "a"), "utf8")).toBe("a\r\n");
    expect(asUser("status", "--porcelain")).toBe("");
    await utimes(join(repo.dir, "a"), 1_000, 1_000);
    expect(await changes()).toEqual([]);

    const repository = await opened();
    expect(await uncommittedPaths(repository)).toEqual([]);
    const message = { subject: "Land", trailers: {} };
    const plan = await planLanding(repository, { result, branch: "main", message, dateMs: 0 });
    expect(plan.type === "ready" ? await land(repository, plan) : plan).toMatchObject({ type: "landed" });
    expect(await readFile(join(repo.dir, "a"), "utf8")).toBe("A\r\n");
    expect(await readFile(join(repo.dir, "new/file"), "utf8")).toBe("n\r\n");
    expect(asUser("status", "--porcelain")).toBe("");

    await repo.write({ a: "changed\r\n" });
    const { tree } = await own();
    expect((await readBlob(repository, { commit: tree, path: "a" }))?.toString()).toBe("changed\n");
    // What is not committed there is in the way all the same.
    expect(await uncommittedPaths(repository)).toEqual(["a"]);
  });

test("what is decrypted on disk is not among the files that are searched and shown (fault S1)", async () => {
  asUser("config", "filter.turn.clean", "tr A-Za-z N-ZA-Mn-za-m");
  await repo.write({ ".gitattributes": "secret* filter=turn\n", "secret.md": "s", "open.md": "o" });
  expect(await checkoutFiles(await opened(), ["**/*.md"])).toEqual(["open.md"]);
});
