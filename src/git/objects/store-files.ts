/** Adds files of a working tree to an index and the store, and finds those that git cannot store. */
import { git, gitFailed, tryGit, type GitPlace } from "../git.ts";
import { nulTerminated } from "./raw-paths.ts";

export interface StoreFiles {
  readonly index: string;
  readonly workTree: string;
  readonly settings: readonly string[];
}

/**
 * Paths are latin1 strings; a deleted one is removed from the index. Returns the paths that git cannot store, because
 * they are unreadable or cannot be converted by their attributes.
 * @throws git_failed if the store itself cannot be written
 */
export async function storeFiles(
  place: GitPlace,
  paths: readonly string[],
  to: StoreFiles,
): Promise<readonly string[]> {
  const { index, workTree, settings } = to;
  const args = ["update-index", "--add", "--replace", "--remove", "-z", "--stdin"];
  const env = { GIT_INDEX_FILE: index };
  let calls = 0;
  const store = async (part: readonly string[]): Promise<readonly string[]> => {
    if (part.length === 0) return [];
    calls += 1;
    const answer = await tryGit(place, args, { env, settings, workTree, input: nulTerminated(part) });
    if (answer.exitCode === 0) return [];
    if (calls === 1 && !(await canStore(place, index))) throw gitFailed(args, answer);
    if (part.length === 1 || calls > maxCalls) return part;
    const middle = part.length >> 1;
    return [...(await store(part.slice(0, middle))), ...(await store(part.slice(middle)))];
  };
  return store(paths);
}

/** Bisecting finds a few bad files quickly. Beyond this limit the remaining files count as bad. */
const maxCalls = 200;

/** False if the disk is full or the store is not writable, so that no single file is the cause. */
async function canStore(place: GitPlace, unique: string): Promise<boolean> {
  const answer = await tryGit(place, ["hash-object", "-w", "--stdin"], { input: unique });
  return answer.exitCode === 0;
}

export interface IndexEntry {
  readonly mode: string;
  readonly blob: string;
  /** A latin1 string. */
  readonly path: string;
}

export async function putEntries(
  place: GitPlace,
  entries: readonly IndexEntry[],
  index: string,
): Promise<void> {
  if (entries.length === 0) return;
  const input = nulTerminated(entries.map(({ mode, blob, path }) => `${mode} ${blob}\t${path}`));
  await git(place, ["update-index", "-z", "--index-info"], { env: { GIT_INDEX_FILE: index }, input });
}
