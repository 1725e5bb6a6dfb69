/** The family of printed steps: agents follow a protocol of Envoy, and people answer its gates in files. */
import { plain } from "../../engine/plain.ts";
import type { Family } from "../../family/family.ts";
import { withEnvoy } from "./envoy-command.ts";
import { settleGateAnswer, type GateFileTimes } from "./gate-answers.ts";
import { FinalAnswerPayload } from "./final-answer.ts";
import { gates } from "./gates.ts";
import { isHosted, requireSteps } from "./hosted-protocol.ts";
import { handover } from "./handover/handover.ts";
import { followedSteps, followerWork } from "./follower-work.ts";
import { segmentItems, SegmentsPayload } from "./segments.ts";
import { stepsVariableNames, stepsVariables } from "./variables.ts";
import { verifyPlan } from "./verify-plan.ts";
import { claimsAgainstPlan } from "./claims-against-plan.ts";
import { workerEnvoy } from "./worker-envoy.ts";

export const steps: Family = {
  ...plain,
  name: "steps",
  gates,
  payloadKinds: {
    final_answer: { schema: FinalAnswerPayload },
    segments: { schema: SegmentsPayload, deliver: segmentItems },
  },
  variableNames: stepsVariableNames,
  owns: isHosted,
  accepts: (protocol, options) => {
    plain.accepts(protocol, options);
    requireSteps(protocol, options);
  },
  started: ({ steps: start }) => (start === undefined ? {} : { steps: start }),
  needsTests: false,
  rounds: (context) => {
    const lastTimes: GateFileTimes = new Map();
    return { ...plain.rounds(context), before: () => settleGateAnswer(context, lastTimes) };
  },
  work: followerWork,
  variables: stepsVariables,
  pathOf: withEnvoy,
  calls: (context, _, { work, gates }) => ({ envoy: workerEnvoy(context, followedSteps(work), gates) }),
  checkClaims: ({ context, command }, found) => claimsAgainstPlan(context, command, found),
  verify: verifyPlan,
  handover,
  conversations: { ofFrame: true, replayedAsText: false },
};
