/** The folder of a dispatch's socket: only this user may enter it, and its path is short. */
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { askSocket } from "../lib/ask-socket.ts";
import { systemClock } from "../lib/clock.ts";

const prefix = "mettle-channel-";
const socketName = "s";
/** A socket's path has at most 103 bytes on macOS and 107 on Linux. */
const maxPathBytes = 100;
/** A younger folder may not have its socket yet. */
const minAgeMs = 60_000;

/** Creates the folder (mode 0700) in the first parent that works and whose path is short enough; returns the socket's path. */
export async function makeFolder(parents: readonly string[] = [tmpdir(), "/tmp"]): Promise<string> {
  const fits = parents.filter(
    (parent) => Buffer.byteLength(pathIn(`${join(parent, prefix)}XXXXXX`)) <= maxPathBytes,
  );
  let failure: unknown = new Error(`the path of ${parents.join(" and ")} is too long for a socket`);
  for (const parent of fits) {
    try {
      return pathIn(await mkdtemp(join(parent, prefix)));
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

export async function removeFolder(socket: string): Promise<void> {
  await rm(join(socket, ".."), { recursive: true, force: true });
}

/** Removes the folders of killed processes: no process listens at their sockets. */
export async function sweepFolders(parent = tmpdir(), olderThanMs = minAgeMs): Promise<void> {
  // An unreadable folder is not ours to clean up.
  const names = await readdir(parent).catch(() => []);
  for (const name of names.filter((other) => other.startsWith(prefix))) {
    const folder = join(parent, name);
    if (await isAbandoned(folder, olderThanMs))
      await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

async function isAbandoned(folder: string, olderThanMs: number): Promise<boolean> {
  const found = await stat(folder).catch(() => null); // removed meanwhile
  if (found?.uid !== process.getuid?.() || systemClock.now() - (found?.mtimeMs ?? Infinity) < olderThanMs)
    return false;
  const answer = await askSocket({ path: pathIn(folder), line: "", timeoutMs: 1_000 });
  return answer.type === "unreachable" && ["ECONNREFUSED", "ENOENT"].includes(answer.code);
}

function pathIn(folder: string): string {
  return join(folder, socketName);
}
