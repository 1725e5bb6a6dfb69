/**
 * The files that a File Structure section plans: from list items, table rows, plain lines and drawn trees.
 * Directories only give their name to what stands below them.
 */
export function plannedFiles(body: string): readonly string[] {
  const open: { readonly depth: number; readonly path: string }[] = [];
  const entries: { readonly path: string; readonly directory: boolean }[] = [];
  for (const line of body.split("\n")) {
    if (/^\s*(?:`{3,}|~{3,})/.test(line)) {
      open.length = 0;
      continue;
    }
    const entry = entryOf(line);
    if (!entry) {
      if (line.trim() !== "" && !/^[\s│|]*$/.test(line)) open.length = 0;
      continue;
    }
    while ((open.at(-1)?.depth ?? -1) >= entry.depth) open.pop();
    const parent = open.at(-1)?.path ?? "";
    const path = entry.name.startsWith(parent) ? entry.name : `${parent}${entry.name}`;
    if (entry.directory) open.push({ depth: entry.depth, path: path === "./" ? "" : path });
    entries.push({ path, directory: entry.directory });
  }
  const root = drawnRoot(entries);
  const files = entries.filter((entry) => !entry.directory).map(({ path }) => path);
  return [...new Set(files.map((path) => (path.startsWith(root) ? path.slice(root.length) : path)))];
}

interface Entry {
  readonly depth: number;
  readonly name: string;
  readonly directory: boolean;
}

function entryOf(line: string): Entry | null {
  const lead = /^(?:[\s│┃|]|[├└┣┗+`][─━-]+|[-*+•]\s|\d+[.)]\s)*/.exec(line)?.[0] ?? "";
  const rest = line.slice(lead.length);
  const name = (/^\*{0,2}`([^`]+)`/.exec(rest)?.[1] ?? /^[*_]*([^\s*|,;:]+)/.exec(rest)?.[1] ?? "").replace(
    /^\.\//,
    "",
  );
  if (name === "." || /^[*_`]*\.\/?[*_`]*$/.test(rest.trim()))
    return { depth: lead.length, name: "./", directory: true };
  if (!/^[\w@.()[\]~+-]+(?:\/[\w@.()[\]~+-]+)*\/?$/.test(name) || name.split("/").includes("..")) return null;
  if (name.endsWith("/")) return { depth: lead.length, name, directory: true };
  return looksLikeFile(name) ? { depth: lead.length, name, directory: false } : null;
}

function looksLikeFile(name: string): boolean {
  const last = name.split("/").at(-1) ?? "";
  return /^(?:\.?[\w@()[\]~+-][\w@()[\]~+.-]*\.[A-Za-z][A-Za-z0-9]{0,9}|\.[a-z][\w.-]+|[A-Z][a-z]+file|LICENSE)$/.test(
    last,
  );
}

/** A tree is often drawn below the project's own folder, which is no part of a path in it. */
function drawnRoot(entries: readonly { readonly path: string; readonly directory: boolean }[]): string {
  const first = entries[0];
  if (!first?.directory || !entries.every(({ path }) => path.startsWith(first.path))) return "";
  const below = entries.map(({ path }) => path.slice(first.path.length).split("/")[0] ?? "");
  return below.some((name) =>
    /^(?:src|lib|tests?|__tests__|package\.json|pyproject\.toml|go\.mod|Cargo\.toml)$/.test(name),
  )
    ? first.path
    : "";
}
