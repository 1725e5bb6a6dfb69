import { lstat, mkdir, readdir, readFile, realpath, rm, rmdir, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve, sep } from "node:path";
import { run } from "../../process/run.ts";
import type { Repository } from "../repository.ts";

/** The two parts of a worktree: its folder, and git's record below `.git/worktrees/`. */
export interface Registration {
  /** `.git/worktrees/<name>`. */
  readonly admin: string;
  /** Path of its folder, which may be missing. */
  readonly path: string;
  /** Its creation was started but not finished. */
  readonly isUnfinished: boolean;
}

/**
 * Does the work of `git worktree add --detach --no-checkout` in an existing empty folder, without starting git. The
 * registration is locked until its checkout is complete. Returns its `admin`.
 */
export async function register(
  repository: Repository,
  { path, commit }: { readonly path: string; readonly commit: string },
): Promise<string> {
  const admin = await claimName(join(repository.gitDir, "worktrees"), basename(path));
  // The pointer comes last: another git skips a record without it, and fails on one without the other files.
  const files = {
    locked: initializing,
    commondir: "../..\n",
    HEAD: `${commit}\n`,
    gitdir: `${join(path, ".git")}\n`,
  };
  for (const [name, content] of Object.entries(files)) await writeFile(join(admin, name), content);
  await writeFile(join(path, ".git"), pointerTo(admin));
  return admin;
}

/** The name becomes part of ref names, `worktrees/<name>/HEAD`. */
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

/** The lock text that git uses until the checkout is complete. */
const initializing = "initializing";

/** All worktree records at or below a folder, or anywhere (""), complete or not. */
export async function registrations(repository: Repository, below: string): Promise<readonly Registration[]> {
  const folder = join(repository.gitDir, "worktrees");
  const names = await readdir(folder).catch(() => []); // no worktree was created yet
  const found = await Promise.all(names.map((name) => registrationAt(join(folder, name))));
  return found.flat().filter(({ path }) => path === below || path.startsWith(below + sep));
}

/** Removes both parts, if they exist. A link in place of the folder is removed, its target is not. */
export async function removeFolder(repository: Repository, path: string): Promise<void> {
  const real = await resolveParent(path);
  await removeAll(repository, real);
  for (const { admin } of await registrations(repository, real))
    await rm(admin, { recursive: true, force: true });
  // Like git, which recreates the folder if needed.
  await rmdir(join(repository.gitDir, "worktrees")).catch(() => {}); // not empty, or deleted already
}

/** Also removes read-only folders, and folders nested too deeply for a path. */
async function removeAll({ path: searched }: Repository, folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    const options = { cwd: dirname(folder), env: { PATH: searched }, timeoutMs: 120_000, trusted: true };
    await run("chmod", ["-R", "u+rwX", "--", folder], options);
    await run("rm", ["-rf", "--", folder], options);
    // Throws the reason if it still exists.
    await rm(folder, { recursive: true, force: true });
  }
}

/** Restores the `.git` file of a worktree, which an agent could have changed. */
export async function restorePointer(repository: Repository, path: string): Promise<void> {
  const [registered] = await registrations(repository, await realFolder(path));
  if (registered === undefined) return;
  const file = join(path, ".git");
  const expected = pointerTo(registered.admin);
  const isFile = (await lstat(file).catch(() => null))?.isFile() ?? false; // deleted
  if (isFile && (await readFile(file, "utf8")) === expected) return;
  await rm(file, { recursive: true, force: true });
  await writeFile(file, expected);
}

/** Resolves all symlinks; the last part need not exist. */
export async function realFolder(path: string): Promise<string> {
  return realpath(path).catch(() => resolveParent(path));
}

/** Resolves the symlinks of the parents like git, but not of the last part. */
export async function resolveParent(path: string): Promise<string> {
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
