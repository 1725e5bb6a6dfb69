import { text, tryGit } from "./git.ts";
import { asUser, type Repository } from "./repository.ts";
import { shortCommit } from "../lib/short-commit.ts";

/** Whether the user signs their commits here. Mettle's commits have its own identity and are unsigned. */
async function signsCommits(repository: Repository): Promise<boolean> {
  const args = ["config", "--show-scope", "--type=bool", "--get-all", "commit.gpgSign"];
  const lines = text((await tryGit(asUser(repository), args)).stdout).split("\n");
  // The last one is Mettle's own setting, which disables signing.
  return lines.findLast((line) => !line.startsWith("command\t"))?.endsWith("\ttrue") === true;
}

/** A note about unsigned commits; null if the user does not sign. @param base the commit before those of the run */
export async function unsignedNote(repository: Repository, base: string): Promise<string | null> {
  if (!(await signsCommits(repository))) return null;
  const command = `git rebase --force-rebase --gpg-sign ${shortCommit(base)}`;
  return `you sign your commits here, and those of a run are unsigned: after landing \`${command}\` signs them`;
}
