import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** A path in Mettle's package, which contains `protocols/` and `dist/`. Works from the sources and from a bundle. */
export function packageRoot(...parts: readonly string[]): string {
  cachedRoot ??= findRoot(dirname(fileURLToPath(import.meta.url)));
  return join(cachedRoot, ...parts);
}

let cachedRoot: string | undefined;

function findRoot(start: string): string {
  for (let folder = start; ; folder = dirname(folder)) {
    const file = join(folder, "package.json");
    if (existsSync(file) && nameIn(file) === "mettle") return folder;
    if (folder === dirname(folder)) throw new Error(`no package mettle around ${start}`);
  }
}

function nameIn(file: string): unknown {
  const content: unknown = JSON.parse(readFileSync(file, "utf8"));
  return typeof content === "object" && content !== null && "name" in content ? content.name : undefined;
}
