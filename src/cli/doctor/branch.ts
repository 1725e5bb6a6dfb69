/** Reports where a run would start and land, and the default branch. */
import { text, tryGit } from "../../git/git.ts";
import { currentBranch, firstCommit, inStore, type Repository } from "../../git/repository.ts";
import { blockedRef, listRefs } from "../../git/refs.ts";
import { unsignedNote } from "../../git/signing.ts";
import { AppError } from "../../lib/errors.ts";
import { workBranch } from "../../run/branches.ts";
import { fail, ok, warn, type DoctorCheck } from "./check.ts";

export const branch: DoctorCheck = {
  name: "branch",
  needed: true,
  async examine({ repository, head }) {
    if (repository === null || head === null) return [];
    if (head instanceof AppError)
      return [fail(head.message, head.code === "no_commit" ? firstCommit : head.hint)];
    const blocked = await blockedRef(repository, workBranch("RUN"));
    if (blocked !== null) return [fail(blocked.message, blocked.hint)];
    const at = head.slice(0, 8);
    const current = await currentBranch(repository);
    const main = await defaultBranch(repository);
    if (current === null)
      return [
        warn(
          `HEAD is detached at ${at}; a run starts there, and its result has no branch to land on`,
          `git switch ${main ?? "BRANCH"}`,
        ),
      ];
    const about = main === null || main === current ? "" : `; the default branch is ${main}`;
    const unsigned = await unsignedNote(repository, head);
    return [
      ok(`${current} at ${at}, where a run starts and lands${about}`),
      ...(unsigned === null ? [] : [warn(unsigned, "no action is needed before a run")]),
    ];
  },
};

const usual = ["main", "master", "develop", "staging", "production"];

/** The default branch of the remote, else the first usual name that exists here. */
async function defaultBranch(repository: Repository): Promise<string | null> {
  const remote = "refs/remotes/origin/";
  const head = await tryGit(inStore(repository), ["symbolic-ref", "--quiet", `${remote}HEAD`]);
  const named = text(head.stdout);
  if (named.startsWith(remote)) return named.slice(remote.length);
  const local = new Set((await listRefs(repository, "refs/heads/")).map(({ ref }) => ref));
  return usual.find((name) => local.has(`refs/heads/${name}`)) ?? null;
}
