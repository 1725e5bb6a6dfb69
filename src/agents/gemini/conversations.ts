/** Conversation files of the CLI: `tmp/PROJECT/chats/session-TIME-ID.jsonl`, where ID is the first eight letters of the id. */
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import type { Conversation } from "../agent.ts";

/** Prepares the conversation files before the CLI starts. @param folder `.gemini` of the agent's home */
export async function prepareConversation(
  folder: string,
  conversation: Conversation,
  cwd: string,
): Promise<void> {
  if (conversation.type === "resume") return;
  // Left by a killed dispatch: the CLI refuses to start a conversation that already has a file.
  for (const { file } of await filesOf(folder, conversation.id)) await rm(file, { force: true });
  if (conversation.type === "fork") await fork(folder, conversation, cwd);
}

async function fork(
  folder: string,
  { id, parent }: Extract<Conversation, { readonly type: "fork" }>,
  cwd: string,
): Promise<void> {
  const source = (await filesOf(folder, parent)).at(-1);
  if (source === undefined) return; // the CLI reports the unknown conversation
  const project = (await projectOf(folder, cwd)) ?? source.project;
  const chats = join(folder, "tmp", project, "chats");
  await mkdir(chats, { recursive: true });
  const text = await readFile(source.file, "utf8");
  const copy = text
    .split("\n")
    .map((line) => renamed(line, parent, id))
    .join("\n");
  await writeFile(join(chats, source.name.replace(shortOf(parent), shortOf(id))), copy);
}

/** Replaces the id in the metadata records; messages that mention the id stay unchanged. */
function renamed(line: string, parent: string, id: string): string {
  const start = `{"sessionId":${JSON.stringify(parent)}`;
  return line.startsWith(start) ? `{"sessionId":${JSON.stringify(id)}${line.slice(start.length)}` : line;
}

interface ChatFile {
  readonly project: string;
  readonly name: string;
  readonly file: string;
}

async function filesOf(folder: string, id: string): Promise<readonly ChatFile[]> {
  const found: ChatFile[] = [];
  const projects = await readdir(join(folder, "tmp")).catch(() => []); // no conversation yet
  for (const project of projects) {
    const chats = join(folder, "tmp", project, "chats");
    const names = await readdir(chats).catch(() => []);
    for (const name of names)
      if (name.startsWith("session-") && name.includes(`-${shortOf(id)}.json`))
        found.push({ project, name, file: join(chats, name) });
  }
  return found;
}

function shortOf(id: string): string {
  return id.slice(0, 8);
}

const Projects = z.object({ projects: z.record(z.string(), z.string()) });

/** Name of the CLI's folder for a workspace. */
async function projectOf(folder: string, cwd: string): Promise<string | null> {
  const text = await readFile(join(folder, "projects.json"), "utf8").catch(() => "{}");
  const parsed = Projects.safeParse(JSON.parse(text));
  return (parsed.success ? parsed.data.projects[cwd] : undefined) ?? null;
}
