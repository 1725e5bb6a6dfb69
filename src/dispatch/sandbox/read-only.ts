/** Which parts of a workspace its agent may not change, as rules: the paths, and the folders in which they stand. */
import { dirname } from "node:path";
import { kindOf, type PathRules } from "../../source/paths.ts";
import type { Rule } from "../../process/sandbox/confinement.ts";

export interface ReadOnlyPaths {
  /** Real path of the workspace. */
  readonly workspace: string;
  /** Paths in it, as git names them. */
  readonly frozen: readonly string[];
  /** All files that it was laid with. */
  readonly files: readonly string[];
  readonly paths: PathRules;
}

/** A folder of tests alone is frozen as a whole, so that few rules do; what stands elsewhere by each file. */
export function readOnlyRules({ workspace, frozen, files, paths }: ReadOnlyPaths): readonly Rule[] {
  const laid = new Set(files);
  const isFrozen = new Set(frozen.filter((path) => laid.has(path)));
  const free = new Set(files.filter((path) => !isFrozen.has(path)).flatMap(foldersOf));
  const whole = (folder: string) => !free.has(folder) && isOfTests(folder, paths);
  const tops = new Set([...isFrozen].map((path) => foldersOf(path).find(whole) ?? path));
  return [
    // A folder that is a mount itself cannot be renamed away with what stands in it.
    ...[...new Set([...tops].flatMap(foldersOf))].map((at) => rule("writable", at)),
    ...[...tops].map((at) => rule("readable", at)),
  ];

  function rule(type: "writable" | "readable", path: string): Rule {
    return { type, at: `${workspace}/${path}` };
  }
}

/** From the outermost one to its own. */
function foldersOf(path: string): readonly string[] {
  const folders: string[] = [];
  for (let folder = dirname(path); folder !== "."; folder = dirname(folder)) folders.unshift(folder);
  return folders;
}

/** Whatever would be made there. */
function isOfTests(folder: string, paths: PathRules): boolean {
  return ["new.js", "new"].every((name) => kindOf(`${folder}/${name}`, paths) === "test");
}
