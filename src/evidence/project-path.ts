import { isAbsolute, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** The path relative to the project, with `/`; null for a file outside the project or in a dependency. */
export function projectPath(file: string, project: string): string | null {
  const path = relative(project, resolve(project, asPath(file)));
  if (path === "" || path === ".." || path.startsWith(`..${sep}`) || isAbsolute(path)) return null;
  if (path.split(sep).includes("node_modules")) return null;
  return path.split(sep).join("/");
}

/** `path:line:column` of the project's own files in a V8 stack, innermost first. */
export function projectFrames(stack: string, project: string): readonly string[] {
  return stack.split("\n").flatMap((line) => {
    const match = /^\s+at (?:.*\(|async )?((?:file:\/\/|\/|[A-Za-z]:[\\/]).*?):(\d+):(\d+)\)?$/.exec(line);
    const [, file, row, column] = match ?? [];
    if (file === undefined || row === undefined || column === undefined) return [];
    const path = projectPath(file, project);
    return path === null ? [] : [`${path}:${row}:${column}`];
  });
}

function asPath(file: string): string {
  if (!file.startsWith("file://")) return file;
  try {
    return fileURLToPath(file);
  } catch {
    return file; // a URL of no local file: outside the project
  }
}
