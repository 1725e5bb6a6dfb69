/** The current folder. @throws not_a_repository if it was removed, as the worktree of an agent may be */
import { AppError } from "../lib/errors.ts";

export function currentFolder(): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw new AppError("not_a_repository", "the current folder is gone", {
      hint: "change to a folder that exists",
      cause,
    });
  }
}
