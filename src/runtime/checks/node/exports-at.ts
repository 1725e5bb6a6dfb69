/** Which of the promised names the files of a commit do not offer; `export *` is followed. */
import { declares, isScript } from "../../../source/node-exports.ts";
import { exportsOf } from "../../../source/exports.ts";
import { cleanPath } from "../../../gates/node-paths.ts";
import { readScript } from "../../../source/script.ts";
import { candidates } from "../../../source/module-paths.ts";
import type { InterfaceFile } from "../../../protocol/graph-types/scaffold.ts";
import type { Project } from "../../../proof/project/project.ts";

/** Each as `path: name`; a file that is not there lacks nothing here. */
export async function missingExports(
  project: Project,
  interfaces: readonly InterfaceFile[],
): Promise<readonly string[]> {
  const missing: string[] = [];
  for (const { path: told, exports } of interfaces) {
    const path = cleanPath(told);
    const text = (await project.texts([path])).get(path);
    if (text === undefined) continue;
    const offered = isScript(path) ? await namesAt(project, path, 0) : null;
    for (const name of exports)
      if (!(offered?.has(name) ?? declares(path, text, name))) missing.push(`${path}: ${name}`);
  }
  return missing;
}

const deepest = 8;

async function namesAt(project: Project, path: string, depth: number): Promise<ReadonlySet<string>> {
  const text = (await project.texts([path])).get(path);
  if (text === undefined || depth > deepest) return new Set();
  const { names, from } = exportsOf(readScript(text));
  const all = new Set(names);
  for (const one of from) {
    const target = one.startsWith(".")
      ? candidates(path, one).find((other) => project.files.has(other))
      : undefined;
    if (target === undefined) continue;
    for (const name of await namesAt(project, target, depth + 1)) if (name !== "default") all.add(name);
  }
  return all;
}
