/** From where an agent of printed steps works: a prompt has a folder of its own, everything else a worktree as elsewhere. */
import { join } from "node:path";
import type { DispatchCommand } from "../../kernel/command.ts";
import type { RunContext } from "../../run/context.ts";
import { plainWork, workFrom, type Work, type WorkFolder } from "../../runtime/dispatch/workspace/work.ts";
import { workspaceName } from "../../runtime/dispatch/workspace/workspace.ts";
import { putEnvoy } from "./envoy-command.ts";
import { stepsFollowedBy, promptFolder, currentTree } from "./prompt-place.ts";
import type { StepsWork } from "./work.ts";

/** What an agent of printed steps works on; one that makes a plan follows none. */
export interface FollowerWork extends Work {
  readonly follows: StepsWork | null;
}

/** The printed steps that are followed there; null where an agent follows none. */
export function followedSteps(work: Work): StepsWork | null {
  return isFollowers(work) ? work.follows : null;
}

function isFollowers(work: Work): work is FollowerWork {
  return "follows" in work;
}

/** `envoy` is put into its home; work on a prompt is done in the prompt's own folder. */
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
  return path === null ? null : { path, standing: () => currentTree(context, follows) };
}
