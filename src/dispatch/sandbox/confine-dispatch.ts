/** Chooses the confinement of a dispatch's agent, and its name in the journal (CORE-60, CORE-61). */
import type { Agent } from "../../agents/agent.ts";
import { sandboxMissing } from "../../agents/program.ts";
import type { Confinement } from "../../process/sandbox/confinement.ts";
import type { RunContext } from "../../run/context.ts";
import { machineConfinement, probeConfinement, stateRootOf } from "../../sandbox/machine.ts";
import { isolationOf } from "../../sandbox/isolation.ts";
import { promptRules } from "./prompt-rules.ts";
import { workspaceRules, type WorkspaceAccess } from "./workspace-rules.ts";

export interface ConfineRequest extends Omit<WorkspaceAccess, "hidden"> {
  readonly agent: Agent;
  readonly tools: readonly string[];
}

export interface ConfinedDispatch {
  /** Null if the agent is not confined, or only by its own sandbox. */
  readonly confinement: Confinement | null;
  readonly isolation: string;
}

/** A run that began with a sandbox never starts an unconfined agent. @throws sandbox_missing */
export async function confineDispatch(
  context: RunContext,
  confining: ConfineRequest,
): Promise<ConfinedDispatch> {
  const { agent, tools, ...working } = confining;
  const own = agent.ownSandbox?.(tools) ?? null;
  if (own !== null) return { confinement: null, isolation: `${agent.name}: ${own}` };
  if (!context.started.sandbox) return { confinement: null, isolation: "none" };
  const machine = {
    host: context.host,
    stateRoot: stateRootOf(context.home.root),
    repository: context.repository,
  };
  const base = await machineConfinement(machine);
  const probed = await probeConfinement(machine, base);
  if (base === null || probed.type === "absent")
    throw sandboxMissing(probed.type === "absent" ? probed.why : "it is not installed");
  const rulesOf = working.workspace.work.folder === null ? workspaceRules : promptRules;
  const rules = await rulesOf(context, { ...working, hidden: base.hidden });
  return {
    confinement: { ...base, rules: [...base.rules, ...rules] },
    isolation: isolationOf(probed),
  };
}
