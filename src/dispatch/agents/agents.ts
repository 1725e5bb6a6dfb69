/** Makes the agent of each role from the settings, each agent once. A name may have a suffix: `scripted:FILE`, `claude:MODEL`. */
import type { AgentPlaces } from "./agent-places.ts";
import { resolve } from "node:path";
import type { Agent } from "../../agents/agent.ts";
import { commandAgent } from "../../agents/command/adapter.ts";
import { mcpToolAgent } from "../../agents/mcp-tool/adapter.ts";
import { scriptedAgent } from "../../agents/scripted/adapter.ts";
import { pickVariables } from "../../config/env.ts";
import { packageRoot } from "../../config/package-root.ts";
import type { Settings } from "../../config/settings.ts";
import { AppError } from "../../lib/errors.ts";
import { nearest } from "../../lib/nearest.ts";
import { acpOf } from "./acp.ts";
import { readCassette } from "./cassettes.ts";
import { claudeOf } from "./claude.ts";
import { codexOf } from "./codex.ts";
import { geminiOf, geminiVariables } from "./gemini.ts";
import { opencodeOf } from "./opencode.ts";

export function makeAgents(places: AgentPlaces): (role: string) => Promise<Agent> {
  const { agents } = places.settings;
  const made = new Map<string, Promise<Agent>>();
  return (role) => {
    const name = agents.roles[role] ?? agents.default;
    // A scripted agent may have another vendor in each role.
    const key = name.startsWith("scripted:") ? `${name} ${role}` : name;
    const agent = made.get(key) ?? makeAgent(places, name, role);
    made.set(key, agent);
    return agent;
  };
}

/** Refuses unknown agent names, for roles of every protocol. Does not check that programs are installed. @throws agent_unknown */
export function assertAgentNames(settings: Settings): void {
  const { roles, default: all } = settings.agents;
  for (const [role, name] of Object.entries({ ...roles, default: all }))
    if (!isAgent(settings, name)) throw unknownAgent(settings, name, role);
}

function isAgent({ agents }: Settings, name: string): boolean {
  const [kind = "", ...rest] = name.split(":");
  if (kind === "scripted") return rest.length > 0;
  if (kind === "mcp") return Object.hasOwn(agents.servers, rest.join(":"));
  if (vendors.includes(kind)) return true;
  return rest.length === 0 && Object.hasOwn(agents.commands, kind);
}

const vendors: readonly string[] = ["claude", "codex", "gemini", "opencode"];

async function makeAgent(places: AgentPlaces, name: string, role: string): Promise<Agent> {
  const { settings, cwd, host } = places;
  const [kind = "", ...rest] = name.split(":");
  const suffix = rest.length === 0 ? null : rest.join(":");
  if (kind === "scripted" && suffix !== null) return scripted(places, resolve(cwd, suffix), role);
  if (kind === "claude") return claudeOf(places, suffix);
  if (kind === "codex") return codexOf(places, suffix);
  if (kind === "gemini") return geminiOf(places, suffix);
  if (kind === "opencode") return opencodeOf(places, suffix);
  const server = kind === "mcp" && suffix !== null ? settings.agents.servers[suffix] : undefined;
  if (server !== undefined) return byMcp(places, name, server);
  const command = suffix === null ? settings.agents.commands[kind] : undefined;
  const { run, acp, vendor = name, login = null } = command ?? {};
  if (acp !== undefined) return acpOf(places, { name, vendor, login, run: located(acp, cwd) });
  if (run === undefined) throw unknownAgent(settings, name, role);
  return commandAgent({
    name,
    vendor,
    run: located(run, cwd),
    env: pickVariables(host.env, settings.agents.env),
    path: host.path,
  });
}

function byMcp(
  { settings, cwd, host }: AgentPlaces,
  name: string,
  { run, tool, vendor }: Settings["agents"]["servers"][string],
): Agent {
  return mcpToolAgent({
    name,
    vendor,
    server: located(run, cwd),
    tool,
    // The known servers pass their prompt to the Gemini CLI, which needs a login.
    env: pickVariables(host.env, [...geminiVariables, ...settings.agents.env]),
    path: host.path,
    caller: packageRoot("dist/bin/mcp-caller.js"),
    node: host.node,
  });
}

function located([file, ...args]: readonly [string, ...string[]], cwd: string): [string, ...string[]] {
  return [file.includes("/") ? resolve(cwd, file) : file, ...args];
}

async function scripted({ host }: AgentPlaces, file: string, role: string): Promise<Agent> {
  const cassette = await readCassette(file);
  return scriptedAgent({
    cassette,
    vendor: cassette.vendors[role] ?? "scripted",
    player: packageRoot("dist/bin/scripted-player.js"),
    node: host.node,
  });
}

function unknownAgent(settings: Settings, name: string, role: string): AppError {
  const own = Object.keys(settings.agents.commands);
  const known = [...vendors.flatMap((vendor) => [vendor, `${vendor}:MODEL`]), "scripted:FILE", ...own];
  const near = nearest(name, [...vendors, ...own]);
  const whose = role === "default" ? "every role that is not named" : `the role ${role}`;
  return new AppError("agent_unknown", `no agent is called ${name} (for ${whose})`, {
    hint: `${near === null ? "" : `did you mean ${near}? `}known: ${known.join(", ")}. Name one with --agent, or under \`agents\` in mettle.yaml; a program of your own goes under \`agents.commands\``,
  });
}
