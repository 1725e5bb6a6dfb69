/** Files of approaches and prompts are project-relative, so that they mean the same in every worktree. */
import { posix } from "node:path";
import { AppError } from "../lib/errors.ts";

/** `./a//b` is `a/b`; what is absolute or leaves the repository is refused. */
export function relativePath(said: string): string {
  const path = posix.normalize(said).replace(/\/$/u, "");
  if (!posix.isAbsolute(said) && !/^[A-Za-z]:[\\/]/u.test(said) && path !== ".." && !path.startsWith("../"))
    return path;
  throw new AppError("path_not_relative", `${said} is not relative to the project`, {
    hint: "name files and folders from the top of the repository: src/a.ts",
  });
}
