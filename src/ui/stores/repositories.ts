/** The repositories of this user, by their state homes; one that is gone keeps its runs and is marked. */
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { stateHome, type StateHome } from "../../config/home.ts";
import { hasStore } from "../../journal/home-store.ts";
import type { Env } from "../../config/env.ts";
import { AppError } from "../../lib/errors.ts";
import { storedId } from "../../config/repository-id.ts";

export interface StoredRepository {
  readonly id: string;
  readonly home: StateHome;
  /** A folder in which git finds the repository; null: it was removed, moved, or another one is there now. */
  readonly folder: string | null;
  /** The folder that people know it by, gone or not; null if it was never recorded. */
  readonly path: string | null;
}

/** @param root the parent of all state homes */
export function listRepositories(root: string, env: Env): readonly StoredRepository[] {
  return namesIn(root).flatMap((id) => {
    const found = findRepository(id, root, env);
    return found === null ? [] : [found];
  });
}

/** @returns null if no repository of this user has this id */
export function findRepository(id: string, root: string, env: Env): StoredRepository | null {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/u.test(id)) return null;
  const home = homeOf(id, root, env);
  if (home === null) return null;
  if (!hasStore(home) && !existsSync(home.owner)) return null;
  const gitDir = ownerOf(home);
  const path = gitDir === null ? null : checkoutOf(gitDir);
  const isHere = gitDir !== null && existsSync(join(gitDir, "HEAD")) && (storedId(gitDir) ?? id) === id;
  return { id, home, folder: isHere ? path : null, path };
}

/** Null if it does not say where its store is: one such folder does not hide all others. */
function homeOf(id: string, root: string, env: Env): StateHome | null {
  try {
    return stateHome({ repository: id, env: { ...env, METTLE_HOME: root } });
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** @throws not_found if the repository is gone */
export function folderOf({ folder, path }: StoredRepository): string {
  if (folder !== null) return folder;
  throw new AppError("not_found", `the repository ${path ?? ""} is gone, and its commits with it`, {
    hint: "what its runs stored themselves can still be looked at",
  });
}

function namesIn(root: string): readonly string[] {
  try {
    return readdirSync(root).toSorted();
  } catch {
    return []; // no run yet
  }
}

function ownerOf({ owner }: StateHome): string | null {
  try {
    const text = readFileSync(owner, "utf8").trimEnd();
    return text === "" ? null : text;
  } catch {
    return null; // written by an older version
  }
}

function checkoutOf(gitDir: string): string {
  return basename(gitDir) === ".git" ? dirname(gitDir) : gitDir;
}
