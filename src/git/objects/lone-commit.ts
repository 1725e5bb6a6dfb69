/** Creates a repository with a single commit, which replaces the user's repository for an agent (CORE-59). */
import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { git } from "../git.ts";
import { inStore, type Repository } from "../repository.ts";

export interface LoneCommit {
  /** Folder of the new repository; deleted first if it exists. */
  readonly dir: string;
  readonly commit: string;
  /** A worktree of that commit; its index is copied. */
  readonly worktree: string;
  /** Ignore patterns. */
  readonly excludes: readonly string[];
}

export interface LoneRepository {
  readonly dir: string;
  /** Path of a `.git` file for the worktree that points to this repository. */
  readonly pointer: string;
}

/** The commit keeps its id; its parents are cut off as in a shallow clone. */
export async function loneRepository(
  repository: Repository,
  { dir, commit, worktree, excludes }: LoneCommit,
): Promise<LoneRepository> {
  await rm(dir, { recursive: true, force: true });
  const packs = join(dir, "objects", "pack");
  for (const folder of [packs, join(dir, "refs"), join(dir, "info")])
    await mkdir(folder, { recursive: true, mode: 0o700 });
  const args = [
    "pack-objects",
    "--revs",
    "--delta-base-offset",
    "--quiet",
    "--threads=1",
    join(packs, "pack"),
  ];
  await git(inStore(repository), args, { input: `--shallow ${commit}\n${commit}\n` });
  const pointer = join(dir, "mettle-pointer");
  const files = {
    HEAD: `${commit}\n`,
    shallow: `${commit}\n`,
    config: configOf(commit),
    "info/exclude": excludes.map((pattern) => `${pattern}\n`).join(""),
    "mettle-pointer": `gitdir: ${dir}\n`,
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(dir, name), text);
  const [, admin] = /^gitdir: (.+)\n?$/u.exec(await readFile(join(worktree, ".git"), "utf8")) ?? [];
  if (admin !== undefined) await copyFile(join(admin, "index"), join(dir, "index"));
  return { dir, pointer };
}

function configOf(commit: string): string {
  const core = "[core]\n\tbare = false\n\tlogAllRefUpdates = false\n\trepositoryformatversion = ";
  return commit.length === 64 ? `${core}1\n[extensions]\n\tobjectformat = sha256\n` : `${core}0\n`;
}
