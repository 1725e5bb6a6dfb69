/** The default family, with the default of each member of the port. */
import { envoyOfDispatch } from "../dispatch/channel/envoy-call.ts";
import { plainPayloadRules } from "../dispatch/channel/payload-rules.ts";
import { plainPayloadKinds } from "../dispatch/channel/payload-schemas.ts";
import { plainVariableNames } from "../dispatch/prompt/variables.ts";
import { plainDecision } from "../dispatch/settle.ts";
import type { Family } from "../family/family.ts";
import { plannedByDocuments } from "../family/planned.ts";
import { takesTaskAlone } from "../family/start-options.ts";
import { projectDocuments } from "../run/documents/documents.ts";
import { gates } from "./checks/known-gates.ts";
import { plainWork } from "./plain-work.ts";

const nothing = (): Promise<void> => Promise.resolve();

/** Any protocol may have documents. */
export const plain: Family = {
  name: "plain",
  gates,
  payloadKinds: plainPayloadKinds,
  variableNames: plainVariableNames,
  assertTemplates: () => undefined,
  owns: () => true,
  accepts: takesTaskAlone,
  started: () => ({}),
  needsTests: true,
  startEvents: () => Promise.resolve([]),
  prepare: projectDocuments,
  writeDocuments: projectDocuments,
  rounds: () => ({ before: () => Promise.resolve(false), beforeResult: nothing }),
  schedule: (_, open) => open,
  stopped: nothing,
  finish: nothing,
  work: plainWork,
  prompt: () => Promise.resolve(null),
  variables: () => Promise.resolve({}),
  pathOf: (path) => path,
  calls: (context, command) => ({ envoy: envoyOfDispatch(context, command) }),
  payloads: plainPayloadRules,
  onAgentEnded: nothing,
  settle: plainDecision,
  claimText: ({ turns }) => turns.output,
  checkClaims: () => Promise.resolve(null),
  silence: () => null,
  conversations: { ofFrame: false, replayedAsText: false },
  survivesBadPayload: false,
  planned: plannedByDocuments,
  plannedTests: () => Promise.resolve(null),
  verify: () => Promise.resolve({ fault: null }),
  askContext: () => Promise.resolve([]),
  attemptsOf: () => null,
  handover: null,
  landsClean: false,
  facts: () => Promise.resolve([]),
  line: () => null,
  note: (_, { text }) => Promise.resolve(text),
};
