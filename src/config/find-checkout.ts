/** Finds the checkout of a folder without git, for programs that start often. */
import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

export interface FoundCheckout {
  readonly top: string;
  /** The common git directory, also of a worktree. */
  readonly gitDir: string;
  /** The git directory of this checkout, with its HEAD. */
  readonly ownGitDir: string;
}

export function findCheckout(cwd: string): FoundCheckout | null {
  for (let top = resolve(cwd); ; top = dirname(top)) {
    const place = join(top, ".git");
    if (existsSync(place)) {
      const ownGitDir = statSync(place).isDirectory() ? place : linkedGitDir(place);
      return { top, gitDir: realpathSync(commonOf(ownGitDir)), ownGitDir };
    }
    if (top === dirname(top)) return null;
  }
}

/** In a worktree or submodule `.git` is a file with the path of the git directory. */
function linkedGitDir(file: string): string {
  const named = /^gitdir: (.+)$/mu.exec(readFileSync(file, "utf8"))?.[1] ?? "";
  return resolve(dirname(file), named.trim());
}

function commonOf(own: string): string {
  const common = join(own, "commondir");
  return existsSync(common) ? resolve(own, readFileSync(common, "utf8").trim()) : own;
}
