/** The source files that tests can execute: those that they import, directly or through others. */
import { importedFiles } from "../../source/imported-files.ts";
import { isInSource, kindOf, type PathRules } from "../../source/paths.ts";
import type { SourceLines } from "../../source/mutants/mutant.ts";
import type { Project } from "../project/project.ts";
import { isMutable } from "./mutable-files.ts";

const maxFiles = 200;

/** All files in the folders of source where no import leads to one: tests may start a program, or use the package's own name. */
export async function executedSources(
  project: Project,
  tests: readonly string[],
  rules: PathRules,
): Promise<readonly SourceLines[]> {
  const isSource = (path: string) => kindOf(path, rules) === "source" && isMutable(path);
  const reached = (await reachedFrom(project, tests)).filter(isSource);
  const inFolders = (path: string) => isSource(path) && isInSource(path, rules);
  const paths = reached.length > 0 ? reached : [...project.files.keys()].filter(inFolders);
  const texts = await project.texts(paths.slice(0, maxFiles));
  return [...texts].map(([path, text]) => ({
    path,
    text,
    lines: text.split("\n").map((_line, at) => at + 1),
  }));
}

async function reachedFrom(project: Project, tests: readonly string[]): Promise<readonly string[]> {
  const seen = new Set<string>();
  let open = tests.filter((path) => project.files.has(path));
  while (open.length > 0 && seen.size < maxFiles) {
    for (const path of open) seen.add(path);
    const texts = await project.texts(open);
    const next = [...texts].flatMap(([path, text]) =>
      importedFiles(path, text, (file) => project.files.has(file)),
    );
    open = [...new Set(next)].filter((path) => !seen.has(path));
  }
  return [...seen];
}
