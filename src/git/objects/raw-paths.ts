/** Paths are bytes to git and to the file system; latin1 strings carry every byte through unchanged. */

/** For options that read paths from stdin with `-z`. */
export function lines(paths: readonly string[]): Buffer {
  return Buffer.from(paths.map((path) => `${path}\0`).join(""), "latin1");
}

/** As git quotes a path on a line of its own. */
export function quoted(path: string): string {
  const safe = path.replace(
    /["\\]|[^ -~]/gu,
    (char) => `\\${char.charCodeAt(0).toString(8).padStart(3, "0")}`,
  );
  return `"${safe}"`;
}

/** As people write it; bytes that are no UTF-8 become replacement characters. */
export function readable(path: string): string {
  return Buffer.from(path, "latin1").toString("utf8");
}

/** As an argument of a program; null where no argument can hold it. */
export function argument(path: string): string | null {
  const name = readable(path);
  return Buffer.from(name, "utf8").toString("latin1") === path ? name : null;
}
