/** The documents of a run: where they lie in a workspace and in the main checkout, and what an agent wrote of them. */
import { lstat, readdir, readFile, realpath } from "node:fs/promises";
import { join } from "node:path";
import type { EventOf } from "../../log/run-event.ts";
import type { Finished } from "./finished.ts";

/** Folder of the documents in every workspace. */
export const documentFolder = ".claude/temp";

/** Its `.gitignore`: the folder hides itself from git. */
export const hides = "*\n";

/** Document name -> file name. */
export const documentFiles: Readonly<Record<string, string>> = {
  spec: "spec.md",
  architecture: "architecture.md",
  "plan-review": "plan-review.md",
  "test-review": "test-review.md",
  "code-review": "code-review.md",
  "test-output": "test_output.txt",
};

/** What a state may `see` beyond the tree, and the document that carries it. */
export const seen: Readonly<Record<string, string>> = {
  spec: "spec",
  architecture: "architecture",
  red_output: "test-output",
  green_output: "test-output",
  failures: "test-output",
};

/** Documents that agents of document roles may write. */
export const authored = ["spec", "architecture"] as const;

/** Of one document, as an agent leaves it. */
export const maxDocumentBytes = 4 * 1024 * 1024;

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
export function documentFacts({ command, left }: Finished): readonly EventOf<"document.written">[] {
  return left.documents
    .filter((document) => (authored as readonly string[]).includes(document.name))
    .map(({ name, ref }) => ({ type: "document.written", name, ref, by: "agent", key: command.key }));
}
