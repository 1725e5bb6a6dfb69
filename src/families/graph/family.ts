/** The family of the graph: a tree of nodes, each with a branch, a worktree and a spec of its own. */
import { plain, type Family } from "../../runtime/family.ts";
import { clearWorkspace, workspaceName } from "../../runtime/dispatch/workspace/workspace.ts";
import { askedByNode, triesOfNode } from "./view/asked.ts";
import { failedNodes } from "./failures.ts";
import { gates } from "./gates.ts";
import { nodePayloadRules } from "./decision/judge-decision.ts";
import { keepFailed } from "./keep-failed.ts";
import { payloadCall } from "./decision/payload-call.ts";
import { nodePrompt } from "./prompt/prompt.ts";
import { assertNodeTemplates } from "./prompt/templates.ts";
import { hasNodes, needSpec, rootBegan } from "./root.ts";
import { levelsAbove, startable } from "./schedule.ts";
import { settleNodeDecision } from "./decision/settle-decision.ts";
import { takeBackMoves } from "./rebase/take-back.ts";
import { verifyNodes } from "./verify-nodes.ts";
import { nodeWork } from "./work.ts";

export const graph: Family = {
  ...plain,
  name: "graph",
  gates,
  assertTemplates: assertNodeTemplates,
  owns: hasNodes,
  accepts: needSpec,
  started: ({ spec, mergeRequests }) => ({
    ...(spec?.file == null ? {} : { specFile: spec.file }),
    ...(mergeRequests === true ? { mergeRequests } : {}),
  }),
  began: rootBegan,
  prepare: async (context) => {
    await takeBackMoves(context);
    await plain.prepare(context);
  },
  rounds: (context) => ({
    ...plain.rounds(context),
    before: async (busy) => {
      await keepFailed(context, busy);
      return false;
    },
  }),
  schedule: ({ settings, session }, open, busy) =>
    startable(open, {
      parallel: settings.graph.parallel,
      busy,
      above: (frame) => levelsAbove(session.state.frames, frame),
    }),
  // The work is kept at once, unless the next agent has its workspace already (V3-71).
  stopped: async (context, command, working) => {
    const name = workspaceName(command);
    if (!working.some((other) => workspaceName(other) === name)) await clearWorkspace(context, command);
  },
  finish: keepFailed,
  work: nodeWork,
  prompt: nodePrompt,
  calls: (context, command, calling) => ({
    ...plain.calls(context, command, calling),
    payloads: payloadCall(context, command),
  }),
  payloads: nodePayloadRules,
  settle: settleNodeDecision,
  silence: ({ graph }) => graph.nudgeAfterMs,
  conversations: { ofFrame: true, retold: true },
  outlivesPayload: true,
  asked: askedByNode,
  tripped: askedByNode,
  triesOf: triesOfNode,
  verify: verifyNodes,
  landsClean: true,
  facts: failedNodes,
};
