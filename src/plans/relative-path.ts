/** Paths in approaches and prompts are relative to the project, so that they are valid in every worktree. */
import { posix } from "node:path";
import { AppError } from "../lib/errors.ts";

/** Normalizes `./a//b` to `a/b`. Throws if the path is absolute or leaves the repository. */
export function relativePath(given: string): string {
  const path = posix.normalize(given).replace(/\/$/u, "");
  if (!posix.isAbsolute(given) && !/^[A-Za-z]:[\\/]/u.test(given) && path !== ".." && !path.startsWith("../"))
    return path;
  throw new AppError("path_not_relative", `${given} is not relative to the project`, {
    hint: "name files and folders from the top of the repository: src/a.ts",
  });
}
