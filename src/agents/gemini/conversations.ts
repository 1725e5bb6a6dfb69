/** The files in which the CLI keeps its conversations: `tmp/PROJECT/chats/session-TIME-ID.jsonl`, ID being the first eight letters. */
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { Conversation } from "../agent.ts";

/** What the conversation needs before the CLI is started. @param folder `.gemini` of the agent's home */
export async function prepareConversation(
  folder: string,
  conversation: Conversation,
  cwd: string,
): Promise<void> {
  if (conversation.type === "resume") return;
  // What a dispatch said before it was killed: the CLI refuses to begin a conversation of which it has a file.
  for (const { file } of await filesOf(folder, conversation.id)) await rm(file, { force: true });
  if (conversation.type === "fork") await fork(folder, conversation, cwd);
}

async function fork(
  folder: string,
  { id, parent }: Extract<Conversation, { readonly type: "fork" }>,
  cwd: string,
): Promise<void> {
  const source = (await filesOf(folder, parent)).at(-1);
  if (source === undefined) return; // the CLI will say that it knows no such conversation
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

/** Its id stands in the records that describe the conversation; messages that speak of it stay as they are. */
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
  const projects = await readdir(join(folder, "tmp")).catch(() => []); // nobody has spoken here yet
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

/** The folder in which it keeps what belongs to a workspace. */
async function projectOf(folder: string, cwd: string): Promise<string | null> {
  const text = await readFile(join(folder, "projects.json"), "utf8").catch(() => "{}");
  const parsed = Projects.safeParse(JSON.parse(text));
  return (parsed.success ? parsed.data.projects[cwd] : undefined) ?? null;
}
