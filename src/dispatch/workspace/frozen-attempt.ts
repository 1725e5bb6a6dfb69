/** Finds the frozen file that an agent tried to change, in the system's error message. */
import { isAbsolute, posix, relative } from "node:path";
import { isProtected, type Hashes } from "../../gates/suite/frozen.ts";
import type { PathRules } from "../../source/paths.ts";

export interface FrozenPaths {
  /** Every path under which the agent may know its workspace. */
  readonly roots: readonly string[];
  readonly frozen: Hashes;
  readonly rules: PathRules;
}

/** @returns the frozen path; null if the agent ended for another reason */
export function frozenAttempt(why: string, protectedPaths: FrozenPaths): string | null {
  if (!/\b(?:EROFS|EBUSY|EXDEV)\b|read-only file system|resource busy|cross-device link/iu.test(why))
    return null;
  const named = namesIn(why).flatMap((name) => inWorkspace(name, protectedPaths.roots));
  return named.find((path) => isFrozenPath(path, protectedPaths)) ?? null;
}

/** Quoted names, and the names between colons in a shell's message. */
function namesIn(why: string): readonly string[] {
  return [...why.matchAll(/'([^']+)'|"([^"]+)"|[^\s'":]+/gu)].map(([all, one, two]) => one ?? two ?? all);
}

function inWorkspace(name: string, roots: readonly string[]): readonly string[] {
  if (!isAbsolute(name)) return [posix.normalize(name).replace(/\/$/u, "")];
  return roots.map((root) => relative(root, name)).filter((path) => path !== "" && !path.startsWith(".."));
}

/** A frozen file, a folder that holds one, or a new file that would be frozen. */
function isFrozenPath(path: string, { frozen, rules }: FrozenPaths): boolean {
  if (path in frozen || isProtected(path, rules)) return true;
  return Object.keys(frozen).some((file) => file.startsWith(`${path}/`));
}
