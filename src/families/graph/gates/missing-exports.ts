/** Finds the declared names that the files of a commit do not export; follows `export *`. */
import { declares } from "../../../source/node-exports.ts";
import { exportsOf } from "../../../source/exports.ts";
import { cleanPath } from "../../../gates/node/node-paths.ts";
import { loadParser, type Parse } from "../../../source/syntax.ts";
import { candidates } from "../../../source/module-paths.ts";
import type { InterfaceFile } from "../../../protocol/graph-types/scaffold.ts";
import type { Project } from "../../../proof/project/project.ts";

/** Each as `path: name`. Missing files are reported elsewhere. */
export async function missingExports(
  project: Project,
  interfaces: readonly InterfaceFile[],
): Promise<readonly string[]> {
  const missing: string[] = [];
  const parse = await loadParser();
  for (const { path: declared, exports } of interfaces) {
    const path = cleanPath(declared);
    const text = (await project.texts([path])).get(path);
    if (text === undefined) continue;
    const offered = await namesAt({ project, parse }, path, 0);
    for (const name of exports)
      if (!(offered?.has(name) ?? declares(path, text, name))) missing.push(`${path}: ${name}`);
  }
  return missing;
}

const maxDepth = 8;

/** Null if the text is not JavaScript. */
async function namesAt(
  { project, parse }: { readonly project: Project; readonly parse: Parse },
  path: string,
  depth: number,
): Promise<ReadonlySet<string> | null> {
  const text = (await project.texts([path])).get(path);
  const exports = text === undefined || depth > maxDepth ? null : exportsOf(path, text, parse);
  if (exports === null) return null;
  const all = new Set(exports.names);
  for (const one of exports.from) {
    const target = one.startsWith(".")
      ? candidates(path, one).find((other) => project.files.has(other))
      : undefined;
    if (target === undefined) continue;
    for (const name of (await namesAt({ project, parse }, target, depth + 1)) ?? [])
      if (name !== "default") all.add(name);
  }
  return all;
}
