import { otherUsersRepository } from "../../git/repository.ts";
import { shellWords } from "../../views/shell-words.ts";
import { fail, ok, warn, type DoctorCheck } from "./check.ts";

export const repository: DoctorCheck = {
  name: "repository",
  needed: true,
  async examine({ repository: found, repositoryError: error, cwd }) {
    if (found !== null) return [ok(found.checkout)];
    // The check of git reports a missing git.
    if (error === null || error.code === "git_missing") return [];
    if (error.code !== "not_a_repository") return [fail(error.message, error.hint)];
    if (error.detail === otherUsersRepository)
      return [fail(`${cwd} belongs to another user`, `sudo chown -R "$USER" ${shellWords([cwd])}`)];
    const seen = `${cwd} is in no repository, so only the machine was checked`;
    return [warn(seen, "cd to a repository, or create one: git init")];
  },
};
