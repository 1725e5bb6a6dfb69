/** Which agent plays which role: the run's settings, one agent made once. A name may carry a cassette: `scripted:FILE`. */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { Agent } from "../agents/agent.ts";
import { scriptedAgent } from "../agents/scripted/adapter.ts";
import { Cassette } from "../agents/scripted/cassette.ts";
import { packageRoot } from "../config/package-root.ts";
import type { Settings } from "../config/settings.ts";
import { AppError } from "../lib/errors.ts";
import { refuseNewer } from "../lib/newer.ts";
import { parseYaml } from "../lib/yaml-document.ts";

export interface AgentPlaces {
  readonly settings: Settings;
  /** Relative cassettes lie here. */
  readonly cwd: string;
  readonly node: string;
}

export function makeAgents({ settings, cwd, node }: AgentPlaces): (role: string) => Promise<Agent> {
  const cassettes = new Map<string, Promise<Cassette>>();
  return async (role) => {
    const name = settings.agents.roles[role] ?? settings.agents.default;
    const file = /^scripted:(.+)$/u.exec(name)?.[1];
    if (file === undefined) throw unknownAgent(name, role);
    const path = resolve(cwd, file);
    const cassette = await (cassettes.get(path) ?? remember(cassettes, path));
    return scriptedAgent({
      cassette,
      vendor: cassette.vendors[role] ?? "scripted",
      player: packageRoot("dist/bin/scripted-player.js"),
      node,
    });
  };
}

function remember(cassettes: Map<string, Promise<Cassette>>, path: string): Promise<Cassette> {
  const reading = readCassette(path);
  cassettes.set(path, reading);
  return reading;
}

/** Reads and checks a cassette file; throws `cassette_invalid` with every fault and its place. */
export async function readCassette(path: string): Promise<Cassette> {
  const text = await readFile(path, "utf8").catch((cause: unknown) => {
    throw new AppError("cassette_invalid", `the cassette ${path} cannot be read`, {
      hint: "give the path of a cassette: --agent scripted:FILE",
      cause,
    });
  });
  return parseYaml({ text, file: path }, (raw) => schemaFor(raw, path), "cassette_invalid").value;
}

function schemaFor(raw: unknown, path: string): typeof Cassette {
  refuseNewer(raw, { what: path, known: 1 });
  return Cassette;
}

function unknownAgent(name: string, role: string): AppError {
  return new AppError("agent_unknown", `no agent is called ${name} (for the role ${role})`, {
    hint: "known in this version: scripted:FILE. Name one with --agent, or under `agents` in mettle.yaml",
  });
}
