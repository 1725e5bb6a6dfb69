import { ofAnotherUser } from "../../git/repository.ts";
import { shellWords } from "../../views/shell-words.ts";
import { fail, ok, warn, type Check } from "./check.ts";

export const repository: Check = {
  name: "repository",
  needed: true,
  async look({ repository: found, refused, cwd }) {
    if (found !== null) return [ok(found.checkout)];
    // Without git there is a line about git already.
    if (refused === null || refused.code === "git_missing") return [];
    if (refused.code !== "not_a_repository") return [fail(refused.message, refused.hint)];
    if (refused.detail === ofAnotherUser)
      return [fail(`${cwd} belongs to another user`, `sudo chown -R "$USER" ${shellWords([cwd])}`)];
    const seen = `${cwd} is in none, so only the machine was looked at`;
    return [warn(seen, "cd to a repository, or make one: git init")];
  },
};
