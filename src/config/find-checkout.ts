/** The checkout around a folder, by the file system alone: for what starts so often that git itself would take too long. */
import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

export interface FoundCheckout {
  readonly top: string;
  /** The common git directory, also of a worktree. */
  readonly gitDir: string;
  /** Where this checkout's HEAD is. */
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

/** Of a worktree or submodule: `.git` is a file that names its folder. */
function linkedGitDir(file: string): string {
  const named = /^gitdir: (.+)$/mu.exec(readFileSync(file, "utf8"))?.[1] ?? "";
  return resolve(dirname(file), named.trim());
}

function commonOf(own: string): string {
  const common = join(own, "commondir");
  return existsSync(common) ? resolve(own, readFileSync(common, "utf8").trim()) : own;
}
