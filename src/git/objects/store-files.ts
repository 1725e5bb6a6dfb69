/** Puts files of a working tree into an index and the store, and finds those that git cannot take. */
import { git, gitFailed, tryGit, type GitPlace } from "../git.ts";
import { lines } from "./raw-paths.ts";

export interface StoreFiles {
  readonly index: string;
  readonly workTree: string;
  readonly settings: readonly string[];
}

/**
 * Paths are latin1 strings; one that is gone from the disk goes from the index. Returns those that git cannot take, since
 * they cannot be read or not be converted as attributes say; throws where it can take none for another reason.
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
    const answer = await tryGit(place, args, { env, settings, workTree, input: lines(part) });
    if (answer.exitCode === 0) return [];
    if (calls === 1 && !(await canStore(place, index))) throw gitFailed(args, answer);
    if (part.length === 1 || calls > maxCalls) return part;
    const middle = part.length >> 1;
    return [...(await store(part.slice(0, middle))), ...(await store(part.slice(middle)))];
  };
  return store(paths);
}

/** Halving finds a few bad files among many quickly; where more are bad, what is left over counts as bad too. */
const maxCalls = 200;

/** The disk is full, or the store cannot be written: then it is no file's fault. */
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
  const input = lines(entries.map(({ mode, blob, path }) => `${mode} ${blob}\t${path}`));
  await git(place, ["update-index", "-z", "--index-info"], { env: { GIT_INDEX_FILE: index }, input });
}
