/** The configuration home of one role in one run. It contains only the login, so that no user setting applies. */
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AgentSpec } from "../agent.ts";
import { linkLogin } from "../link-login.ts";
import type { Files } from "./argv.ts";
import { copyTranscripts, folderIn, transcriptsOf } from "./transcripts.ts";

export interface ClaudeHome extends Files {
  readonly folder: string;
}

/** @param credentials the user's login file; null: there is none, or a variable holds the login */
export async function prepareHome(spec: AgentSpec, credentials: string | null): Promise<ClaudeHome> {
  const folder = folderIn(spec.home);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { conversation } = spec;
  if (conversation.type !== "resume") await deleteTranscripts(folder, conversation.id);
  if (conversation.type === "fork" && conversation.from !== undefined)
    await copyTranscripts({ from: folderIn(conversation.from), to: folder, id: conversation.parent });
  if (credentials !== null) await linkLogin(credentials, join(folder, ".credentials.json"));
  return { folder, mcp: spec.mcp === null ? null : await writeMcp(folder, spec.mcp) };
}

/** Left by a killed dispatch: Claude Code refuses to start a conversation that already has a transcript. */
async function deleteTranscripts(folder: string, id: string): Promise<void> {
  for (const file of await transcriptsOf(folder, id)) await rm(file, { force: true });
}

/** In a file, since every process of the machine can read arguments. */
async function writeMcp(folder: string, server: NonNullable<AgentSpec["mcp"]>): Promise<string> {
  const { name, command, args, env } = server;
  const file = join(folder, "mettle-mcp.json");
  await writeFile(file, JSON.stringify({ mcpServers: { [name]: { command, args, env } } }), { mode: 0o600 });
  return file;
}
