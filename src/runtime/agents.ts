/** Which agent plays which role: the run's settings, one agent made once. A name may carry more: `scripted:FILE`, `claude:MODEL`. */
import { resolve } from "node:path";
import type { Agent } from "../agents/agent.ts";
import { commandAgent } from "../agents/command/adapter.ts";
import { scriptedAgent } from "../agents/scripted/adapter.ts";
import { chosen } from "../config/env.ts";
import { packageRoot } from "../config/package-root.ts";
import type { Settings } from "../config/settings.ts";
import { AppError } from "../lib/errors.ts";
import { readCassette } from "./cassettes.ts";
import { claudeOf } from "./claude.ts";
import type { Host } from "./context.ts";

export interface AgentPlaces {
  readonly settings: Settings;
  /** Relative cassettes and programs lie here. */
  readonly cwd: string;
  readonly host: Host;
  /** The state home. */
  readonly home: string;
}

export function makeAgents(places: AgentPlaces): (role: string) => Promise<Agent> {
  const { agents } = places.settings;
  const made = new Map<string, Promise<Agent>>();
  return (role) => {
    const name = agents.roles[role] ?? agents.default;
    // A scripted agent pretends to be another vendor's in each role.
    const key = name.startsWith("scripted:") ? `${name} ${role}` : name;
    const agent = made.get(key) ?? makeAgent(places, name, role);
    made.set(key, agent);
    return agent;
  };
}

async function makeAgent(places: AgentPlaces, name: string, role: string): Promise<Agent> {
  const { settings, cwd, host } = places;
  const [kind = "", ...rest] = name.split(":");
  const suffix = rest.length === 0 ? null : rest.join(":");
  if (kind === "scripted" && suffix !== null) return scripted(places, resolve(cwd, suffix), role);
  if (kind === "claude") return claudeOf(places, suffix);
  const command = suffix === null ? settings.agents.commands[kind] : undefined;
  if (command === undefined) throw unknownAgent(settings, name, role);
  const [file, ...args] = command.run;
  return commandAgent({
    name,
    vendor: command.vendor ?? name,
    run: [file.includes("/") ? resolve(cwd, file) : file, ...args],
    env: chosen(host.env, settings.agents.env),
    path: host.path,
  });
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
  const known = ["claude", "claude:MODEL", "scripted:FILE", ...Object.keys(settings.agents.commands)];
  return new AppError("agent_unknown", `no agent is called ${name} (for the role ${role})`, {
    hint: `known: ${known.join(", ")}. Name one with --agent, or under \`agents\` in mettle.yaml; a program of your own goes under \`agents.commands\``,
  });
}
