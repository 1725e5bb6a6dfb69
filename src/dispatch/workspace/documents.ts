/** Reads the documents in a workspace, and journals those that an agent changed. */
import { lstat, readdir, readFile, realpath } from "node:fs/promises";
import { join } from "node:path";
import type { EventOf } from "../../log/run-event.ts";
import { agentDocuments, documentFolder, maxDocumentBytes } from "../../run/documents/names.ts";
import type { AgentResult } from "../../family/agent-result.ts";

/** File names in a workspace's document folder; none if the folder is missing or a link to somewhere else. */
export async function documentNames(workspace: string): Promise<readonly string[]> {
  const folder = join(workspace, documentFolder);
  try {
    if ((await realpath(folder)) !== join(await realpath(workspace), documentFolder)) return [];
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  } catch {
    return []; // removed by the agent, or unreadable
  }
}

/** The text of a document; null if it is larger than `maxDocumentBytes`. */
export async function readDocument(workspace: string, name: string): Promise<string | null> {
  const file = join(workspace, documentFolder, name);
  const { size } = await lstat(file);
  return size <= maxDocumentBytes ? readFile(file, "utf8") : null;
}

/** Facts for the documents that this dispatch changed. */
export function documentFacts({ command, harvest }: AgentResult): readonly EventOf<"document.written">[] {
  return harvest.documents
    .filter((document) => (agentDocuments as readonly string[]).includes(document.name))
    .map(({ name, ref }) => ({ type: "document.written", name, ref, by: "agent", key: command.key }));
}
