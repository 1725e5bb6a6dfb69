/** Base and head of the change that a CI job is about: head as its author committed it, base where it left the target branch. */
import { readFile } from "node:fs/promises";
import { environment, variable } from "../../config/env.ts";
import { isShallow } from "../../git/objects/borrowed-store.ts";
import { mergeBase, resolveCommit, type Repository } from "../../git/repository.ts";
import { AppError } from "../../lib/errors.ts";
import { openForGate } from "../open-for-gate.ts";
import { shallowClone } from "../revisions.ts";
import { githubCommits, gitlabCommits, type CiCommits } from "./ci-commits.ts";

export type CiHost = "github" | "gitlab";

export async function ciRevisions(
  cwd: string,
  host: CiHost,
): Promise<{ readonly base: string; readonly head: string }> {
  const commits = await commitsOf(host);
  const { repository } = await openForGate(cwd);
  const head = await commitOrNull(repository, commits.head);
  if (head === null) throw await missing(repository, commits.head);
  for (const target of commits.targets) {
    const commit = await commitOrNull(repository, target);
    const base = commit === null ? null : await mergeBase(repository, commit, head);
    if (base !== null) return { base, head };
  }
  throw await missing(repository, commits.targets.at(-1) ?? "base");
}

async function commitsOf(host: CiHost): Promise<CiCommits> {
  const env = environment();
  if (host === "gitlab") return gitlabCommits(env);
  const file = variable("GITHUB_EVENT_PATH", env);
  const text = file === null ? null : await readFile(file, "utf8").catch(() => null); // not in a job
  if (text === null)
    throw new AppError("usage", "GITHUB_EVENT_PATH names no file, so this is no job of GitHub Actions", {
      hint: "name the commits: --base REV --head REV",
    });
  return githubCommits(env, text);
}

async function commitOrNull(repository: Repository, name: string): Promise<string | null> {
  return resolveCommit(repository, name).catch((error: unknown) => {
    if (error instanceof AppError && error.code === "revision_unknown") return null;
    throw error;
  });
}

async function missing(repository: Repository, name: string): Promise<AppError> {
  if (await isShallow(repository)) return shallowClone(name);
  return new AppError("revision_unknown", `this clone has no history from ${name} to the change`, {
    hint: "check out the whole history: `fetch-depth: 0` on GitHub, `GIT_DEPTH: 0` on GitLab",
  });
}
