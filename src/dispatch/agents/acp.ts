/** Makes an agent of the Agent Client Protocol from its entry in `agents.commands` of mettle.yaml. */
import type { Agent } from "../../agents/agent.ts";
import { acpAgent } from "../../agents/acp/adapter.ts";
import { pickVariables } from "../../config/env.ts";
import { packageRoot } from "../../config/package-root.ts";
import type { AgentPlaces } from "./agent-places.ts";

interface Command {
  readonly name: string;
  readonly vendor: string;
  readonly run: readonly [string, ...string[]];
  readonly login: string | null;
}

export function acpOf({ settings, host, home }: AgentPlaces, command: Command): Agent {
  return acpAgent({
    ...command,
    env: pickVariables(host.env, settings.agents.env),
    path: host.path,
    home,
    caller: packageRoot("dist/bin/acp-caller.js"),
    node: host.node,
  });
}
