/** Git and file-system paths are bytes; latin1 strings preserve every byte. */

/** Input for options that read paths from stdin with `-z`. */
export function nulTerminated(paths: readonly string[]): Buffer {
  return Buffer.from(paths.map((path) => `${path}\0`).join(""), "latin1");
}

/** Quotes a path like git. */
export function quotePath(path: string): string {
  const safe = path.replace(
    /["\\]|[^ -~]/gu,
    (char) => `\\${char.charCodeAt(0).toString(8).padStart(3, "0")}`,
  );
  return `"${safe}"`;
}

/** The path as UTF-8 for display; invalid bytes become replacement characters. */
export function displayPath(path: string): string {
  return Buffer.from(path, "latin1").toString("utf8");
}

/** The path as a program argument; null if it is not valid UTF-8. */
export function asArgument(path: string): string | null {
  const name = displayPath(path);
  return Buffer.from(name, "utf8").toString("latin1") === path ? name : null;
}
