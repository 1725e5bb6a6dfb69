import { lstat, mkdir, readdir, readFile, realpath, rm, rmdir, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve, sep } from "node:path";
import { run } from "../../process/run.ts";
import type { Repository } from "../repository.ts";

/** The two halves of a worktree: its folder, and what git keeps about it below `.git/worktrees/`. */
export interface Registration {
  /** `.git/worktrees/<name>`. */
  readonly admin: string;
  /** Where its folder is, or was. */
  readonly path: string;
  /** `git worktree add` has begun and not ended. */
  readonly isUnfinished: boolean;
}

/**
 * Makes what `git worktree add --detach --no-checkout` makes, in a folder that exists and is empty, without starting git.
 * The registration is locked until its checkout is complete. Returns its `admin`.
 */
export async function register(
  repository: Repository,
  { path, commit }: { readonly path: string; readonly commit: string },
): Promise<string> {
  const admin = await claimName(join(repository.gitDir, "worktrees"), basename(path));
  const files = {
    locked: initializing,
    gitdir: `${join(path, ".git")}\n`,
    commondir: "../..\n",
    HEAD: `${commit}\n`,
  };
  for (const [name, content] of Object.entries(files)) await writeFile(join(admin, name), content);
  await writeFile(join(path, ".git"), pointerTo(admin));
  return admin;
}

/** The name is a part of ref names, `worktrees/<name>/HEAD`. */
async function claimName(folder: string, wanted: string): Promise<string> {
  const name = wanted.replace(/[^A-Za-z0-9_-]+/gu, "-") || "worktree";
  for (let number = 0; ; number += 1) {
    const admin = join(folder, number === 0 ? name : `${name}${number}`);
    await mkdir(folder, { recursive: true });
    try {
      await mkdir(admin);
      return admin;
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    }
  }
}

function pointerTo(admin: string): string {
  return `gitdir: ${admin}\n`;
}

/** The text that git itself puts there, and takes away when the checkout is complete. */
const initializing = "initializing";

/** What git has on record at or below a folder, or anywhere (""), readable or not, complete or not. */
export async function registrations(repository: Repository, below: string): Promise<readonly Registration[]> {
  const folder = join(repository.gitDir, "worktrees");
  const names = await readdir(folder).catch(() => []); // no worktree was ever made
  const found = await Promise.all(names.map((name) => registrationAt(join(folder, name))));
  return found.flat().filter(({ path }) => path === below || path.startsWith(below + sep));
}

/** Removes both halves, whichever exist. A link that stands in the folder's place goes, what it leads to stays. */
export async function removeFolder(repository: Repository, path: string): Promise<void> {
  const real = await placeOf(path);
  await removeAll(repository, real);
  for (const { admin } of await registrations(repository, real))
    await rm(admin, { recursive: true, force: true });
  // As git does; it makes the folder again.
  await rmdir(join(repository.gitDir, "worktrees")).catch(() => {}); // it holds something, or is gone
}

/** Also what a program left that makes folders read-only, or nests them deeper than a path can name. */
async function removeAll({ path: searched }: Repository, folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    const options = { cwd: dirname(folder), env: { PATH: searched }, timeoutMs: 120_000, trusted: true };
    await run("chmod", ["-R", "u+rwX", "--", folder], options);
    await run("rm", ["-rf", "--", folder], options);
    // Says why where it is still there.
    await rm(folder, { recursive: true, force: true });
  }
}

/** Puts the file back that leads from a worktree to its git directory, where somebody else could write it. */
export async function mendPointer(repository: Repository, path: string): Promise<void> {
  const [registered] = await registrations(repository, await realFolder(path));
  if (registered === undefined) return;
  const file = join(path, ".git");
  const meant = pointerTo(registered.admin);
  const isFile = (await lstat(file).catch(() => null))?.isFile() ?? false; // it is gone
  if (isFile && (await readFile(file, "utf8")) === meant) return;
  await rm(file, { recursive: true, force: true });
  await writeFile(file, meant);
}

/** With all symlinks resolved; the last part need not exist. */
export async function realFolder(path: string): Promise<string> {
  return realpath(path).catch(() => placeOf(path));
}

/** With the symlinks of its parents resolved, as git writes it down; the last part is taken as it is. */
export async function placeOf(path: string): Promise<string> {
  return join(await realpath(dirname(path)).catch(() => dirname(path)), basename(path));
}

async function registrationAt(admin: string): Promise<readonly Registration[]> {
  const pointer = await readFile(join(admin, "gitdir"), "utf8").catch(() => null);
  if (pointer === null) return [];
  const locked = await readFile(join(admin, "locked"), "utf8").catch(() => "");
  return [
    { admin, path: dirname(resolve(admin, pointer.trimEnd())), isUnfinished: locked.trim() === initializing },
  ];
}
