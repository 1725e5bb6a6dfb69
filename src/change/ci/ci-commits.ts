/** The commits that a CI job is about: a commit of the target branch, and the change's own last commit. */
import * as z from "zod";
import { variable, type Env } from "../../config/env.ts";
import { AppError } from "../../lib/errors.ts";

export interface CiCommits {
  /** Names of a commit of the target branch, the best first. */
  readonly targets: readonly string[];
  /** The last commit of the change, never the merge that a code host makes for the job. */
  readonly head: string;
}

const Commit = z.string().regex(/^[0-9a-f]{40,64}$/u);
const Event = z.object({
  pull_request: z.object({ base: z.object({ sha: Commit }), head: z.object({ sha: Commit }) }).optional(),
  merge_group: z.object({ base_sha: Commit, head_sha: Commit }).optional(),
  before: Commit.optional(),
  after: Commit.optional(),
  repository: z.object({ default_branch: z.string() }).optional(),
});

/** @param text the JSON of the event, at GITHUB_EVENT_PATH */
export function githubCommits(env: Env, text: string): CiCommits {
  const event = Event.safeParse(parsed(text));
  const name = variable("GITHUB_EVENT_NAME", env) ?? "";
  if (!event.success) throw noCommits(`the event ${JSON.stringify(name)} names no commits`);
  const { pull_request: pull, merge_group: group, before, after, repository } = event.data;
  if (name === "pull_request_target")
    throw noCommits(
      "pull_request_target is refused, since it would execute a fork's tests with your secrets",
      "use the event pull_request",
    );
  if (pull !== undefined) {
    // The base in the event can be older than the one that the host merged with.
    const merged = variable("GITHUB_SHA", env);
    const targets = merged === null || merged === pull.head.sha ? [] : [`${merged}^1`];
    return { targets: [...targets, pull.base.sha], head: pull.head.sha };
  }
  if (group !== undefined) return { targets: [group.base_sha], head: group.head_sha };
  return pushed({ before, head: after, branch: repository?.default_branch });
}

export function gitlabCommits(env: Env): CiCommits {
  const named = (name: string) => variable(name, env);
  const head = named("CI_MERGE_REQUEST_SOURCE_BRANCH_SHA") ?? named("CI_COMMIT_SHA") ?? undefined;
  const target = named("CI_MERGE_REQUEST_DIFF_BASE_SHA");
  if (target !== null && head !== undefined) return { targets: [target], head };
  return pushed({
    before: named("CI_COMMIT_BEFORE_SHA") ?? undefined,
    head,
    branch: named("CI_DEFAULT_BRANCH") ?? undefined,
  });
}

interface Push {
  readonly before: string | undefined;
  readonly head: string | undefined;
  /** The default branch. */
  readonly branch: string | undefined;
}

/** A new branch has no commit before it. */
function pushed({ before, head, branch }: Push): CiCommits {
  const isKnown = before !== undefined && !/^0+$/u.test(before);
  const targets = [...(isKnown ? [before] : []), ...(branch === undefined ? [] : [`origin/${branch}`])];
  if (head === undefined || /^0+$/u.test(head) || targets.length === 0)
    throw noCommits("this job is about no change");
  return { targets, head };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // the schema refuses it
  }
}

function noCommits(message: string, hint = "name the commits: --base REV --head REV"): AppError {
  return new AppError("usage", message, { hint });
}
