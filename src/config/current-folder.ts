/** Where a command is called. An agent may still stand in a worktree that is gone. */
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
