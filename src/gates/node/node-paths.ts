/** Where the files of a node may be (V3-91): inside the repository, and outside the folders of git and Mettle. */

/** Normalises a path for comparison: without `./`, duplicate slashes and a trailing slash. */
export function cleanPath(path: string): string {
  return path
    .split("/")
    .filter((part) => part !== "." && part !== "")
    .join("/");
}

/** Whether the paths are equal, or one is a folder of the other. */
export function overlaps(one: string, other: string): boolean {
  return holds(one, other) || holds(other, one);
}

export function holds(folder: string, path: string): boolean {
  const [outer, inner] = [cleanPath(folder), cleanPath(path)];
  return outer === "" || inner === outer || inner.startsWith(`${outer}/`);
}

/**
 * Why a path is refused; null where it is allowed.
 * @param linkOut the symbolic link by which a path leaves the tree; null where it stays inside
 */
export function pathFault(path: string, linkOut: (path: string) => string | null): string | null {
  if (/^[/\\]|^[A-Za-z]:/u.test(path)) return "it is absolute; paths are relative to the repository";
  if (path.includes("\\") || path.includes("\u0000")) return "a path is written with /";
  if (path.split("/").includes("..")) return "it may leave the repository by ..";
  const clean = cleanPath(path);
  if (clean === "") return "it names the whole repository";
  const [first = ""] = clean.split("/");
  if (clean.split("/").some((part) => part.toLowerCase() === ".git")) return "git keeps its own files there";
  if (first === ".mettle" || clean === "mettle.yaml") return "Mettle keeps its own files there";
  const link = linkOut(clean);
  return link === null ? null : `the symbolic link ${link} leads out of the repository`;
}
