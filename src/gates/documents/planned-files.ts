/**
 * The planned files of a File Structure section: from list items, table rows, plain lines and drawn trees. A directory only
 * prefixes the paths below it.
 */
import { fenceReader } from "../../lib/markdown.ts";

export function plannedFiles(body: string): readonly string[] {
  const open: { readonly depth: number; readonly path: string }[] = [];
  const entries: { readonly path: string; readonly directory: boolean }[] = [];
  const read = fenceReader();
  for (const line of body.split("\n")) {
    const { role } = read(line);
    if (role === "opens" || role === "closes") {
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

const lead = /^(?:[\s│┃|]|[├└┣┗+`][─━-]+|[-*+•]\s|\d+[.)]\s)*/;

function entryOf(line: string): Entry | null {
  const before = lead.exec(line)?.[0] ?? "";
  const rest = line.slice(before.length);
  if (/^[*_`]*\.\/?[*_`]*$/.test(rest.trim())) return { depth: before.length, name: "./", directory: true };
  const name = (quotedName(rest) ?? plainName(rest, /[├└┣┗]/.test(before))).replace(/^\.\//, "");
  if (name === "." || !isPath(name)) return null;
  if (name.endsWith("/")) return { depth: before.length, name, directory: true };
  return looksLikeFile(name) ? { depth: before.length, name, directory: false } : null;
}

/** A name between backticks is taken as written, whatever it contains. */
function quotedName(text: string): string | null {
  return /^\*{0,2}(`+)\s*(.+?)\s*\1(?!`)/.exec(text)?.[2] ?? null;
}

/** The first word; in a drawn tree or a path, also the following words up to a file extension. */
function plainName(text: string, isDrawn: boolean): string {
  const [first = "", ...words] = text.replace(/^\*+/, "").split(/(?<=\S)(?=\s)/);
  let name = bare(first);
  if (looksLikeFile(name) || name.endsWith("/") || !(isDrawn || name.includes("/"))) return name;
  // Two spaces, a comment or a dash start a description.
  for (const word of words) {
    if (/^\s\s|^\s(?:#\s|[-–—←:(|]|\/\/)/.test(word)) break;
    name += word;
    if (looksLikeFile(bare(name))) return bare(name);
  }
  return bare(first);
}

/** `src/a.ts,` and `src/a.ts:adds` without the punctuation and what follows; `x,y.ts` is a name. */
function bare(word: string): string {
  const parts = word.split(/(?=[,;:|])/);
  for (let count = 1; count < parts.length; count++) {
    const name = parts.slice(0, count).join("");
    if (looksLikeFile(name) || name.endsWith("/")) return name.replace(/\*+$/, "");
  }
  return word.replace(/[*,;:|]+$/, "");
}

/** Relative, inside the project, and not a pattern. */
function isPath(name: string): boolean {
  const parts = name.replace(/\/$/, "").split("/");
  return !/[\p{Cc}*?<>"\\]/u.test(name) && parts.every((part) => part !== "" && part !== "..");
}

function looksLikeFile(name: string): boolean {
  const last = (name.split("/").at(-1) ?? "").replace(/\*+$/, "");
  return /^(?:\.?[^\s.].*\.[A-Za-z][A-Za-z0-9]{0,9}|\.[a-z][\w.-]+|[A-Z][a-z]+file|LICENSE)$/u.test(last);
}

/** The project's own folder, where a tree is drawn below it: not part of the paths. */
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
