/** The graph family: a tree of nodes, each with its own branch, worktree and spec. */
import { plain } from "../../engine/plain.ts";
import type { Family } from "../../family/family.ts";
import { clearWorkspace, workspaceName } from "../../dispatch/workspace/workspace.ts";
import { nodeAskLines, attemptsOfNode } from "./view/ask-lines.ts";
import { failureFacts } from "./failures.ts";
import { gates } from "./gates.ts";
import { nodePayloadRules } from "./decision/judge-decision.ts";
import { keepFailedWorktrees } from "./keep-failed.ts";
import { payloadCall } from "./decision/payload-call.ts";
import { nodePrompt } from "./prompt/prompt.ts";
import { assertNodeTemplates } from "./prompt/templates.ts";
import { hasNodes, requireSpec, rootEvents } from "./root.ts";
import { levelsAbove, commandsToStart } from "./schedule.ts";
import { settleNodeDecision } from "./decision/settle-decision.ts";
import { undoUnjournaledMoves } from "./rebase/undo-moves.ts";
import { verifyNodes } from "./verify-nodes.ts";
import { nodeWork } from "./work.ts";

export const graph: Family = {
  ...plain,
  name: "graph",
  gates,
  assertTemplates: assertNodeTemplates,
  owns: hasNodes,
  accepts: requireSpec,
  started: ({ spec, mergeRequests }) => ({
    ...(spec?.file == null ? {} : { specFile: spec.file }),
    ...(mergeRequests === true ? { mergeRequests } : {}),
  }),
  startEvents: rootEvents,
  prepare: async (context, again) => {
    await undoUnjournaledMoves(context, again);
    await plain.prepare(context, again);
  },
  rounds: (context) => ({
    ...plain.rounds(context),
    before: async (busy) => {
      await keepFailedWorktrees(context, busy);
      return false;
    },
  }),
  schedule: ({ settings, session }, open, busy) =>
    commandsToStart(open, {
      parallel: settings.graph.parallel,
      busy,
      above: levelsAbove(session.state.frames),
    }),
  // Saves the work now, unless the next agent already has the workspace (V3-71).
  stopped: async (context, command, working) => {
    const name = workspaceName(command);
    if (!working.some((other) => workspaceName(other) === name)) await clearWorkspace(context, command);
  },
  finish: keepFailedWorktrees,
  work: nodeWork,
  prompt: nodePrompt,
  calls: (context, command, calling) => ({
    ...plain.calls(context, command, calling),
    payloads: payloadCall(context, command),
  }),
  payloads: nodePayloadRules,
  settle: settleNodeDecision,
  silence: ({ graph }) => graph.nudgeAfterMs,
  conversations: { ofFrame: true, replayedAsText: true },
  survivesBadPayload: true,
  askContext: nodeAskLines,
  attemptsOf: attemptsOfNode,
  verify: verifyNodes,
  landsClean: true,
  facts: failureFacts,
};
