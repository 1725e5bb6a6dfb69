/** Helpers for tests of one agent beyond the contract. */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Agent, AgentEvent, AgentOutcome, AgentSpec, McpServer } from "../../src/agents/agent.ts";
import { specIn } from "./contract.ts";

export interface Played {
  readonly outcome: AgentOutcome;
  readonly events: readonly AgentEvent[];
}

interface Place {
  readonly root: string;
  readonly cwd: string;
  readonly given: Partial<AgentSpec>;
}

export async function playIn(agent: Agent, place: Place): Promise<Played> {
  const events: AgentEvent[] = [];
  const signal = new AbortController().signal;
  const outcome = await agent.start(specIn(place), (event) => events.push(event), signal);
  return { outcome, events };
}

export function deniedIn({ events }: Pick<Played, "events">): readonly string[] {
  return events.flatMap((event) => (event.type === "denied" ? [event.name] : []));
}

export async function layProject(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}

/** A server with the tool `report`, which writes each call to a file. */
export function reportServer(file: string): McpServer {
  const script = fileURLToPath(new URL("report-server.mjs", import.meta.url));
  return { name: "mettle", command: process.execPath, args: [script], env: { REPORTED: file } };
}
