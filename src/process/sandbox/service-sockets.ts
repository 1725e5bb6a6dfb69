/** Finds sockets of services outside of the hidden folders, e.g. of a container engine whose group the user belongs to. */
import { readFileSync, realpathSync, statSync } from "node:fs";
import { isAtOrBelow, type Rule } from "./confinement.ts";

export interface SocketList {
  /** In the form of `/proc/net/unix`. */
  readonly text: string;
  /** The real path of a socket; null if there is none. */
  realPath(path: string): string | null;
}

/** Folders of services. Elsewhere sockets come and go, and bubblewrap fails for a missing path. */
const folders = ["/etc", "/opt", "/srv", "/var"];

/** A rule that closes each of them. @param list default: the sockets of this machine */
export function closedSockets(
  hidden: readonly string[],
  { text, realPath }: SocketList = { text: listed(), realPath: socketAt },
): readonly Rule[] {
  const isIn = (places: readonly string[]) => (path: string) =>
    places.some((folder) => isAtOrBelow(path, folder));
  const named = text.split("\n").flatMap((line) => / (\/.+)$/u.exec(line)?.[1] ?? []);
  const real = named.filter(isIn(folders)).flatMap((path) => realPath(path) ?? []);
  return [...new Set(real)]
    .filter((path) => !isIn(hidden)(path))
    .map((at) => ({ type: "closed" as const, at }));
}

function listed(): string {
  try {
    return readFileSync("/proc/net/unix", "utf8");
  } catch {
    return ""; // not on this system
  }
}

function socketAt(path: string): string | null {
  try {
    return statSync(path).isSocket() ? realpathSync(path) : null;
  } catch {
    return null; // removed, or in a folder that this user cannot read
  }
}
