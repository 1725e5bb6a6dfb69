/** Maps our conversations to the agent's sessions. Agents choose their session ids, so a file keeps the mapping. */
import { mkdir, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import type {
  AgentCapabilities,
  ClientContext,
  McpServer,
  NewSessionRequest,
} from "@agentclientprotocol/sdk";
import * as z from "zod";
import { writeAtomically } from "../../lib/files.ts";
import type { AcpTurn } from "./request.ts";

export interface SessionRequest {
  readonly agent: ClientContext;
  readonly capabilities: AgentCapabilities;
  readonly cwd: string;
  readonly turn: AcpTurn;
}

/** Whether a later process can restore the session of an earlier one. */
export function canRestore({ loadSession, sessionCapabilities }: AgentCapabilities): boolean {
  return loadSession === true || sessionCapabilities?.resume != null;
}

/** An agent that cannot restore sessions gets a new session, and the whole prompt, for each turn. */
export async function openSession(opening: SessionRequest): Promise<string> {
  const { agent, cwd, turn, capabilities } = opening;
  const { conversation } = turn;
  const place: NewSessionRequest = { cwd, mcpServers: serversOf(turn) };
  if (conversation.type === "new" || !canRestore(capabilities)) {
    const opened = await agent.request("session/new", place);
    return saveSession(turn, opened.sessionId);
  }
  const known = await sessionFor(turn, conversation.type === "fork" ? conversation.parent : conversation.id);
  if (conversation.type === "fork") return saveSession(turn, await fork(opening, known));
  const again = capabilities.sessionCapabilities?.resume != null ? "session/resume" : "session/load";
  await agent.request(again, { ...place, sessionId: known });
  return known;
}

const ForkResponse = z.object({ sessionId: z.string() });

/** `session/fork` is not part of the stable protocol yet, so we parse its response ourselves. */
async function fork({ agent, cwd, turn, capabilities }: SessionRequest, sessionId: string): Promise<string> {
  const can: Readonly<Record<string, unknown>> = { ...capabilities.sessionCapabilities };
  if (can["fork"] == null) throw new Error("it cannot fork a conversation");
  const answer = await agent.request<unknown>("session/fork", {
    sessionId,
    cwd,
    mcpServers: serversOf(turn),
  });
  return ForkResponse.parse(answer).sessionId;
}

function serversOf({ mcp }: AcpTurn): McpServer[] {
  if (mcp === null) return [];
  const env = Object.entries(mcp.env).map(([name, value]) => ({ name, value }));
  return [{ name: mcp.name, command: mcp.command, args: [...mcp.args], env }];
}

const Sessions = z.record(z.string(), z.string());

async function read(file: string): Promise<z.infer<typeof Sessions>> {
  const text = await readFile(file, "utf8").catch(() => "{}"); // no session yet
  return Sessions.parse(JSON.parse(text));
}

/** @throws where the session is lost: a new session would lack what the conversation already contains */
async function sessionFor({ sessions }: AcpTurn, id: string): Promise<string> {
  const session = (await read(sessions))[id];
  if (session === undefined) throw new Error(`it has no session for the conversation ${id}`);
  return session;
}

async function saveSession({ sessions, conversation }: AcpTurn, session: string): Promise<string> {
  await mkdir(dirname(sessions), { recursive: true, mode: 0o700 });
  const all = { ...(await read(sessions)), [conversation.id]: session };
  await writeAtomically(sessions, JSON.stringify(all), { mode: 0o600 });
  return session;
}
