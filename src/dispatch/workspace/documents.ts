/** The documents of a run: where they lie in a workspace and in the main checkout, and what an agent wrote of them. */
import { lstat, readdir, readFile, realpath } from "node:fs/promises";
import { join } from "node:path";
import type { EventOf } from "../../log/run-event.ts";
import { authored, documentFolder, maxDocumentBytes } from "../../run/documents/names.ts";
import type { AgentResult } from "../../family/agent-result.ts";

/** Names of the files in a workspace's folder of documents; none where it is gone, or a link leads elsewhere in its place. */
export async function documentNames(workspace: string): Promise<readonly string[]> {
  const folder = join(workspace, documentFolder);
  try {
    if ((await realpath(folder)) !== join(await realpath(workspace), documentFolder)) return [];
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  } catch {
    return []; // the agent removed it, or may not be read
  }
}

/** The text of one of these files; null where it is larger than any document. */
export async function readDocument(workspace: string, name: string): Promise<string | null> {
  const file = join(workspace, documentFolder, name);
  const { size } = await lstat(file);
  return size <= maxDocumentBytes ? readFile(file, "utf8") : null;
}

/** The documents that this dispatch changed, as facts. */
export function documentFacts({ command, left }: AgentResult): readonly EventOf<"document.written">[] {
  return left.documents
    .filter((document) => (authored as readonly string[]).includes(document.name))
    .map(({ name, ref }) => ({ type: "document.written", name, ref, by: "agent", key: command.key }));
}
