/**
 * Git reads its own files wherever it finds them, and waits without end at a pipe that somebody put in the place of one.
 * A call that takes long is looked after: where such a pipe is found it is stopped, and the pipe is named.
 */
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

export interface PipeWatch {
  /** Fires when a pipe was found. */
  readonly signal: AbortSignal;
  /** Path of the pipe. */
  readonly found: () => string | null;
  readonly stop: () => void;
}

export interface Watched {
  readonly workTree: string;
  readonly gitDir: string | null;
  readonly home: string | undefined;
}

/** So long a call may take before anybody looks. */
const patienceMs = 3_000;
/** A tree with more folders than these is not walked to its end. */
const mostFolders = 200_000;

export function watchForPipes(watched: Watched): PipeWatch {
  const stopped = new AbortController();
  let found: string | null = null;
  let isOver = false;
  const timer = setTimeout(() => {
    void firstPipe(watched, () => isOver).then((pipe) => {
      if (pipe === null || isOver) return;
      found = pipe;
      stopped.abort();
    });
  }, patienceMs);
  return {
    signal: stopped.signal,
    found: () => found,
    stop: () => {
      isOver = true;
      clearTimeout(timer);
    },
  };
}

async function firstPipe({ workTree, gitDir, home }: Watched, isOver: () => boolean): Promise<string | null> {
  const inGit = gitDir === null ? [] : ["info/attributes", "info/exclude", "config", "index", "HEAD"];
  const ofUser = [".gitconfig", ".config/git/config", ".config/git/ignore", ".config/git/attributes"];
  const known = [
    ...inGit.map((name) => join(gitDir ?? "", name)),
    ...(home === undefined ? [] : ofUser.map((name) => join(home, name))),
  ];
  for (const path of known) if (await isPipe(path)) return path;
  let level: readonly string[] = [workTree];
  for (let seen = 0; level.length > 0 && seen < mostFolders && !isOver(); seen += level.length) {
    const next: string[] = [];
    for (const folder of level) {
      const entries = await readdir(folder, { withFileTypes: true }).catch(() => []); // not ours to list
      const pipe = entries.find((entry) => gitsOwn.test(entry.name) && entry.isFIFO());
      if (pipe !== undefined) return join(folder, pipe.name);
      next.push(...entries.filter(isSearched).map(({ name }) => join(folder, name)));
    }
    level = next;
  }
  return null;
}

const gitsOwn = /^\.git(attributes|ignore|modules)?$/iu;

function isSearched(entry: { readonly name: string; isDirectory(): boolean }): boolean {
  return entry.isDirectory() && entry.name !== ".git";
}

async function isPipe(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null))?.isFIFO() ?? false; // not there
}
