import { languageOf, readCode } from "./code-text.ts";
import { pythonImports } from "./imports-python.ts";
import { importsOf } from "./imports.ts";
import { candidates, pythonFile } from "./module-paths.ts";
import { readScript } from "./script.ts";

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
