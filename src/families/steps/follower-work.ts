/** The workspace of an agent of printed steps: the prompt's own folder for work on a prompt, else a worktree. */
import { join } from "node:path";
import type { DispatchCommand } from "../../kernel/command.ts";
import type { RunContext } from "../../run/context.ts";
import { workFrom, type Work, type WorkFolder } from "../../family/work.ts";
import { plainWork } from "../../engine/plain-work.ts";
import { workspaceName } from "../../dispatch/workspace/workspace.ts";
import { putEnvoy } from "./envoy-command.ts";
import { stepsFollowedBy, promptFolder, currentTree } from "./prompt-place.ts";
import type { StepsWork } from "./work.ts";

/** The work of an agent of printed steps; a planner follows none. */
export interface FollowerWork extends Work {
  readonly follows: StepsWork | null;
}

/** The printed steps that are followed; null for none. */
export function followedSteps(work: Work): StepsWork | null {
  return isFollowers(work) ? work.follows : null;
}

function isFollowers(work: Work): work is FollowerWork {
  return "follows" in work;
}

/** Also installs `envoy` in the agent's home. */
export async function followerWork(
  context: RunContext,
  command: DispatchCommand,
  writes: string,
): Promise<FollowerWork> {
  const follows = await stepsFollowedBy(context, command);
  const folder = follows === null ? null : await folderFor(context, follows);
  await putEnvoy(join(context.home.homes, context.run, workspaceName(command)), context.host.node);
  const item = follows?.item ?? "";
  const of = item === "" ? {} : { item };
  if (folder !== null) return { ...workFrom(context.started.base, { folder, of }), follows };
  return { ...(await plainWork(context, command, writes)), of, follows };
}

async function folderFor(context: RunContext, follows: StepsWork): Promise<WorkFolder | null> {
  const path = await promptFolder(context, follows);
  return path === null ? null : { path, snapshot: () => currentTree(context, follows) };
}
