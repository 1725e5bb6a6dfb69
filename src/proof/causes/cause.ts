/** What a look for causes is: one file each in this folder. It reads, and changes nothing. */
import type { Env } from "../../config/env.ts";
import type { Repository } from "../../git/repository.ts";
import type { Project } from "../project/project.ts";
import type { ProofPackage } from "../proof-package.ts";

export interface Cause {
  /** What is different in a clean checkout. */
  readonly what: string;
  readonly help: string;
  /** The runner's own words speak of it. Otherwise it is only there, and told where nothing better was found. */
  readonly isSaid: boolean;
}

export interface Seen {
  readonly repository: Repository;
  readonly base: Project;
  readonly packages: readonly Pick<ProofPackage, "prefix" | "found">[];
  /** All that the runners printed. */
  readonly output: string;
  /** Paths of the user's checkout that git ignores; a folder ends with a slash and stands for all in it. */
  readonly ignored: readonly string[];
  /** Those that nobody committed. */
  readonly untracked: readonly string[];
  readonly env: Env;
}

export type Look = (seen: Seen) => Promise<readonly Cause[]> | readonly Cause[];

/** Whether a path, or its last part, stands in a text as a word of its own. */
export function mentions(text: string, path: string): boolean {
  const plain = path.replace(/\/+$/, "");
  const last = plain.slice(plain.lastIndexOf("/") + 1);
  return holdsWord(text, plain) || (last.length > 3 && holdsWord(text, last));
}

function holdsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    const [before, after] = [text.charAt(at - 1), text.charAt(at + word.length)];
    if (!/[\p{L}\p{N}_-]/u.test(before) && !/[\p{L}\p{N}_-]/u.test(after)) return true;
  }
  return false;
}
