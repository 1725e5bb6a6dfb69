/** Probes the sandbox of agents, with the network that the settings give them. */
import type { Settings } from "../config/settings.ts";
import type { SandboxProbe } from "../process/sandbox/probe.ts";
import { probeMachine, type SandboxMachine } from "./machine.ts";
import { sandboxHere } from "./setting.ts";

export type AgentsProbe =
  | Extract<SandboxProbe, { readonly type: "absent" }>
  | (Extract<SandboxProbe, { readonly type: "confines" }> & {
      /** What was probed. */
      readonly machine: SandboxMachine;
      /** Why agents have the network of the machine, although the settings limit it; null: as the settings say. */
      readonly unlimited: string | null;
    });

/** Some containers forbid an own network. Agents are then confined in everything else, unless a sandbox is required. */
export async function probeAgents(
  machine: SandboxMachine,
  { agents, sandbox }: Pick<Settings, "agents" | "sandbox">,
): Promise<AgentsProbe> {
  if (agents.network === "open") return withMachine(await probeMachine(machine), machine, null);
  const limited: SandboxMachine = { ...machine, network: "loopback" };
  const probed = await probeMachine(limited);
  if (probed.type === "confines") return { ...probed, machine: limited, unlimited: null };
  if (sandboxHere(sandbox, machine.host.env) === "required") return probed;
  return withMachine(await probeMachine(machine), machine, probed.why);
}

function withMachine(probed: SandboxProbe, machine: SandboxMachine, unlimited: string | null): AgentsProbe {
  return probed.type === "absent" ? probed : { ...probed, machine, unlimited };
}
