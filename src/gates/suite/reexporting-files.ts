/**
 * Finds source files that re-export names of a planned file: a package's index, an `__init__`. A test may import a missing
 * name from them as well as from the planned file.
 */
import { languageOf, readCode } from "../../source/code-text.ts";
import { pythonImports } from "../../source/imports-python.ts";
import { importsOf } from "../../source/imports.ts";
import { candidates, pythonFile } from "../../source/module-paths.ts";
import { readScript } from "../../source/script.ts";

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

/** Files of the project that a file imports. */
export function importedFiles(path: string, text: string, has: (path: string) => boolean): readonly string[] {
  if (languageOf(path) === "python")
    return pythonImports(readCode(text, "python")).flatMap(({ module, names }) => {
      const inner = names.map(({ name }) => `${module.replace(/\.$/, "")}.${name}`);
      return [module, ...inner].flatMap((one) => pythonFile(one, path, has) ?? []);
    });
  if (!/\.[cm]?[jt]sx?$/.test(path)) return [];
  return importsOf(readScript(text)).flatMap(({ from }) =>
    from.startsWith(".") ? (candidates(path, from).find(has) ?? []) : [],
  );
}
