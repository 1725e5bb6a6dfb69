/** The configuration home of one role in one run: empty but for the login, so that nothing of the user's reaches it. */
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AgentSpec } from "../agent.ts";
import { linkLogin } from "../link-login.ts";
import type { Files } from "./argv.ts";

export interface Home extends Files {
  readonly folder: string;
}

/** @param credentials the user's own login file, null where there is none or a variable carries the login */
export async function prepareHome(spec: AgentSpec, credentials: string | null): Promise<Home> {
  const folder = join(spec.home, "claude");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (spec.conversation.type !== "resume") await forget(folder, spec.conversation.id);
  if (credentials !== null) await linkLogin(credentials, join(folder, ".credentials.json"));
  return { folder, mcp: spec.mcp === null ? null : await writeMcp(folder, spec.mcp) };
}

/** What a dispatch said before it was killed: Claude Code refuses to begin a conversation of which it has a transcript. */
async function forget(folder: string, id: string): Promise<void> {
  const projects = join(folder, "projects");
  const folders = await readdir(projects).catch(() => []); // nobody has spoken here yet
  for (const project of folders) await rm(join(projects, project, `${id}.jsonl`), { force: true });
}

/** In a file, since arguments are for every process of the machine to read. */
async function writeMcp(folder: string, server: NonNullable<AgentSpec["mcp"]>): Promise<string> {
  const { name, command, args, env } = server;
  const file = join(folder, "mettle-mcp.json");
  await writeFile(file, JSON.stringify({ mcpServers: { [name]: { command, args, env } } }), { mode: 0o600 });
  return file;
}
