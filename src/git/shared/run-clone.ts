/**
 * The clone in which a worker does one run (SCL-04). What many runs have in common comes from a mirror of the remote on this host, by
 * links to its files: each clone is whole without it, so a mirror may be removed at any time.
 */
import { mkdir, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { exists } from "../../lib/files.ts";
import { newId } from "../../lib/ids.ts";
import { git, tryGit, type GitPlace } from "../git.ts";
import type { RemoteLogin } from "../remote.ts";
import { remoteFailed } from "./shared-refs.ts";

export interface RunClone {
  readonly mirror: string;
  readonly path: string;
  /** URL or path. */
  readonly remote: string;
  readonly login: RemoteLogin;
  readonly run: string;
  readonly base: string;
  /** The PATH on which git is found. */
  readonly programs: string;
}

/** Where a run's base is at the remote: it may be on no branch there. */
export function baseRef(run: string): string {
  return `refs/mettle/runs/${run}/base`;
}

/**
 * Makes the clone with the run's base checked out, unless it is there. The caller makes one at a time.
 * @throws remote_failed
 */
export async function ensureRunClone(clone: RunClone): Promise<void> {
  if (await isWhole(clone)) return;
  try {
    await makeFromMirror(clone);
  } catch {
    // The mirror may be damaged; a remote that fails fails again.
    await rm(clone.mirror, { recursive: true, force: true });
    await makeFromMirror(clone);
  }
}

async function isWhole(clone: RunClone): Promise<boolean> {
  if (!(await exists(clone.path))) return false;
  const { exitCode } = await tryGit(at(clone, clone.path), ["cat-file", "-e", `${clone.base}^{tree}`]);
  return exitCode === 0;
}

async function makeFromMirror(clone: RunClone): Promise<void> {
  const { mirror, path, remote, run, base } = clone;
  const draft = `${path}.${newId()}`;
  try {
    await fetchBase(clone);
    await mkdir(dirname(draft), { recursive: true });
    const place = at(clone, dirname(draft));
    await git(place, ["clone", "--quiet", "--local", "--no-checkout", "--no-tags", mirror, draft], {
      timeoutMs,
    });
    const here = at(clone, draft);
    await git(here, ["remote", "set-url", "origin", remote]);
    await git(here, ["update-ref", baseRef(run), base]);
    await git(here, ["checkout", "--quiet", "--detach", base], { login: clone.login, timeoutMs });
    await rm(path, { recursive: true, force: true });
    await rename(draft, path);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** The mirror keeps what it has ever fetched, so that the next run of the repository fetches only what is new. */
async function fetchBase(clone: RunClone): Promise<void> {
  const { mirror, remote, login, run } = clone;
  if (!(await exists(mirror))) {
    await mkdir(dirname(mirror), { recursive: true });
    await git(at(clone, dirname(mirror)), ["init", "--quiet", "--bare", mirror]);
  }
  const args = ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-auto-maintenance"];
  const answer = await tryGit(at(clone, mirror), [...args, remote, `+${baseRef(run)}:${baseRef(run)}`], {
    login,
    timeoutMs,
  });
  if (answer.exitCode !== 0) throw remoteFailed(remote, answer);
}

function at({ programs }: RunClone, cwd: string): GitPlace {
  return { path: programs, gitDir: null, cwd };
}

const timeoutMs = 900_000;
