/** The types of a search for causes, one file each in this folder. A search only reads. */
import type { Env } from "../../config/env.ts";
import type { Repository } from "../../git/repository.ts";
import type { Project } from "../project/project.ts";
import type { ProofPackage } from "../proof-package.ts";

export interface CheckoutCause {
  /** The difference of a clean checkout. */
  readonly what: string;
  readonly help: string;
  /** The runner's output mentions it. Otherwise it is only present, and reported only when no mentioned cause was found. */
  readonly isMentioned: boolean;
}

export interface BaseContext {
  readonly repository: Repository;
  readonly base: Project;
  readonly packages: readonly Pick<ProofPackage, "prefix" | "found">[];
  /** The output of all runners. */
  readonly output: string;
  /** Paths of the user's checkout that git ignores; a folder ends with a slash and includes its content. */
  readonly ignored: readonly string[];
  /** Untracked paths of the user's checkout. */
  readonly untracked: readonly string[];
  readonly env: Env;
}

export type CauseSearch = (seen: BaseContext) => Promise<readonly CheckoutCause[]> | readonly CheckoutCause[];

/** Whether a text contains a path, or its last part, as a separate word. */
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
