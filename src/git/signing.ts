import { text, tryGit } from "./git.ts";
import { asUser, type Repository } from "./repository.ts";

/** Whether the user signs the commits they make here. Those of Mettle are made under its own identity, and unsigned. */
async function signsCommits(repository: Repository): Promise<boolean> {
  const args = ["config", "--show-scope", "--type=bool", "--get-all", "commit.gpgSign"];
  const lines = text((await tryGit(asUser(repository), args)).stdout).split("\n");
  // The last one is this program's own, which switches signing off.
  return lines.findLast((line) => !line.startsWith("command\t"))?.endsWith("\ttrue") === true;
}

/** Null where nobody expects a signature. @param base a commit before those of the run */
export async function unsignedNote(repository: Repository, base: string): Promise<string | null> {
  if (!(await signsCommits(repository))) return null;
  const command = `git rebase --force-rebase --gpg-sign ${base.slice(0, 12)}`;
  return `you sign your commits here, and those of a run are unsigned: after landing \`${command}\` signs them`;
}
