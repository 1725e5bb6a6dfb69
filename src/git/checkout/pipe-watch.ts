/**
 * Git reads its files wherever it finds them, and hangs if a pipe replaces one. For a slow call, the watch searches for
 * such a pipe; if it finds one, it stops the call and reports the pipe.
 */
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

export interface PipeWatch {
  /** Aborts when a pipe is found. */
  readonly signal: AbortSignal;
  /** Path of the pipe. */
  readonly found: () => string | null;
  readonly stop: () => void;
}

export interface PipeSearch {
  readonly workTree: string;
  readonly gitDir: string | null;
  readonly home: string | undefined;
}

/** A call may take this long before the search starts. */
const graceMs = 3_000;
/** The search ends after this many folders. */
const maxFolders = 200_000;

export function watchForPipes(search: PipeSearch): PipeWatch {
  const stopped = new AbortController();
  let found: string | null = null;
  let isOver = false;
  const timer = setTimeout(() => {
    void firstPipe(search, () => isOver).then((pipe) => {
      if (pipe === null || isOver) return;
      found = pipe;
      stopped.abort();
    });
  }, graceMs);
  return {
    signal: stopped.signal,
    found: () => found,
    stop: () => {
      isOver = true;
      clearTimeout(timer);
    },
  };
}

async function firstPipe(
  { workTree, gitDir, home }: PipeSearch,
  isOver: () => boolean,
): Promise<string | null> {
  const inGit = gitDir === null ? [] : ["info/attributes", "info/exclude", "config", "index", "HEAD"];
  const ofUser = [".gitconfig", ".config/git/config", ".config/git/ignore", ".config/git/attributes"];
  const known = [
    ...inGit.map((name) => join(gitDir ?? "", name)),
    ...(home === undefined ? [] : ofUser.map((name) => join(home, name))),
  ];
  for (const path of known) if (await isPipe(path)) return path;
  let level: readonly string[] = [workTree];
  for (let seen = 0; level.length > 0 && seen < maxFolders && !isOver(); seen += level.length) {
    const next: string[] = [];
    for (const folder of level) {
      const entries = await readdir(folder, { withFileTypes: true }).catch(() => []); // not listable
      const pipe = entries.find((entry) => gitFileName.test(entry.name) && entry.isFIFO());
      if (pipe !== undefined) return join(folder, pipe.name);
      next.push(...entries.filter(isSearched).map(({ name }) => join(folder, name)));
    }
    level = next;
  }
  return null;
}

const gitFileName = /^\.git(attributes|ignore|modules)?$/iu;

function isSearched(entry: { readonly name: string; isDirectory(): boolean }): boolean {
  return entry.isDirectory() && entry.name !== ".git";
}

async function isPipe(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null))?.isFIFO() ?? false; // missing
}
