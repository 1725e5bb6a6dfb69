/** Chooses the confinement of a dispatch's agent, and its name in the journal (CORE-60, CORE-61). */
import type { Agent } from "../../agents/agent.ts";
import { sandboxMissing } from "../../agents/program.ts";
import type { Confinement } from "../../process/sandbox/confinement.ts";
import type { RunContext } from "../../run/context.ts";
import { machineConfinement, probeConfinement, stateRootOf } from "../../sandbox/machine.ts";
import { isolationOf } from "../../sandbox/isolation.ts";
import { openAgentNetwork, type AgentNetwork } from "./agent-network.ts";
import { promptRules } from "./prompt-rules.ts";
import { hideHistory, workspaceRules, type WorkspaceAccess } from "./workspace-rules.ts";

export interface ConfineRequest extends Omit<WorkspaceAccess, "hidden"> {
  readonly agent: Agent;
  readonly tools: readonly string[];
}

export interface ConfinedDispatch {
  /** Null if the agent is not confined, or only by its own sandbox. */
  readonly confinement: Confinement | null;
  readonly isolation: string;
  /** Null where the network of the machine is open to it, or its own sandbox decides. */
  readonly network: AgentNetwork | null;
}

/** A run that began with a sandbox never starts an unconfined agent. @throws sandbox_missing */
export async function confineDispatch(
  context: RunContext,
  confining: ConfineRequest,
): Promise<ConfinedDispatch> {
  const { agent, tools, ...working } = confining;
  const unconfined = async (isolation: string): Promise<ConfinedDispatch> => {
    await hideHistory(context, working);
    return { confinement: null, isolation, network: null };
  };
  const own = agent.ownSandbox?.(tools) ?? null;
  if (own !== null) return unconfined(`${agent.name}: ${own}`);
  const { host, settings, started } = context;
  if (!started.sandbox) return unconfined("none");
  // As the run began: an older one has the network of the machine.
  const isLimited = started.sandbox.held["network"] !== undefined;
  const machine = {
    host,
    stateRoot: stateRootOf(context.home.root),
    repository: context.repository,
    ...(isLimited ? { network: "loopback" as const } : {}),
  };
  const base = await machineConfinement(machine);
  const probed = await probeConfinement(machine, base);
  if (base === null || probed.type === "absent")
    throw sandboxMissing(probed.type === "absent" ? probed.why : "it is not installed");
  const rulesOf = working.workspace.work.folder === null ? workspaceRules : promptRules;
  const rules = await rulesOf(context, { ...working, hidden: base.hidden });
  const confinement = { ...base, rules: [...base.rules, ...rules] };
  const isolation = isolationOf(probed);
  if (!isLimited) return { confinement, isolation, network: null };
  const network = await openAgentNetwork(confinement, { agent, settings, host });
  return { confinement: network.confinement, isolation, network };
}
