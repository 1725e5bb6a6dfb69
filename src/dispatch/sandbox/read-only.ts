/** Sandbox rules that make frozen paths of a workspace read-only, and keep their folders from being renamed. */
import { dirname } from "node:path";
import { kindOf, type PathRules } from "../../source/paths.ts";
import type { Rule } from "../../process/sandbox/confinement.ts";

export interface ReadOnlyPaths {
  /** Real path of the workspace. */
  readonly workspace: string;
  /** Paths in it, as git names them. */
  readonly frozen: readonly string[];
  /** All files in the workspace's commit. */
  readonly files: readonly string[];
  readonly paths: PathRules;
}

/** Freezes a folder with nothing but tests as a whole, to need fewer rules; other frozen files one by one. */
export function readOnlyRules({ workspace, frozen, files, paths }: ReadOnlyPaths): readonly Rule[] {
  const existing = new Set(files);
  const isFrozen = new Set(frozen.filter((path) => existing.has(path)));
  const free = new Set(files.filter((path) => !isFrozen.has(path)).flatMap(foldersOf));
  const whole = (folder: string) => !free.has(folder) && isOfTests(folder, paths);
  const tops = new Set([...isFrozen].map((path) => foldersOf(path).find(whole) ?? path));
  return [
    // A mount point cannot be renamed, so its content cannot be moved away with it.
    ...[...new Set([...tops].flatMap(foldersOf))].map((at) => rule("writable", at)),
    ...[...tops].map((at) => rule("readable", at)),
  ];

  function rule(type: "writable" | "readable", path: string): Rule {
    return { type, at: `${workspace}/${path}` };
  }
}

/** The folders of a path, outermost first. */
function foldersOf(path: string): readonly string[] {
  const folders: string[] = [];
  for (let folder = dirname(path); folder !== "."; folder = dirname(folder)) folders.unshift(folder);
  return folders;
}

/** Whether a new file in the folder would be a test. */
function isOfTests(folder: string, paths: PathRules): boolean {
  return ["new.js", "new"].every((name) => kindOf(`${folder}/${name}`, paths) === "test");
}
