/**
 * Finds source files that re-export names of a planned file: a package's index, an `__init__`. A test may import a missing
 * name from them as well as from the planned file.
 */
import { importedFiles } from "../../source/imported-files.ts";

export interface ReexportContext {
  readonly planned: ReadonlySet<string>;
  /** Content of a file of the commit; undefined where there is none. */
  read(path: string): string | undefined;
}

/** Maximum length of an import chain. */
const maxDepth = 6;

export function reexportsPlanned(path: string, { planned, read }: ReexportContext): boolean {
  const seen = new Set<string>();
  let open = [path];
  for (let depth = 0; depth < maxDepth && open.length > 0; depth++) {
    const next: string[] = [];
    for (const one of open) {
      if (planned.has(one)) return true;
      if (seen.has(one)) continue;
      seen.add(one);
      const text = read(one);
      if (text !== undefined)
        next.push(...importedFiles(one, text, (file) => planned.has(file) || read(file) !== undefined));
    }
    open = next;
  }
  return open.some((one) => planned.has(one));
}
