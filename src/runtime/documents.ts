/**
 * The run's documents in the main checkout: a projection of the store, written again when it was deleted (ORC-92).
 * While a plan waits for approval a person may edit them; that is taken in as a revision (ORC-71).
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { mask } from "../lib/mask.ts";
import type { EventOf } from "../kernel/run-event.ts";
import type { RunContext } from "./context.ts";
import { authored, documentFiles } from "./dispatch/documents.ts";

/** Path of a document in the main checkout. */
export function documentPath({ repository, started }: RunContext, name: string): string {
  return join(repository.root, started.folder, documentFiles[name] ?? name);
}

/** Writes the documents that are missing, and the ones named even where a file stands there. */
export async function projectDocuments(context: RunContext, replace: readonly string[]): Promise<void> {
  for (const [name, document] of Object.entries(context.session.view.documents)) {
    const path = documentPath(context, name);
    const current = await readText(path);
    const text = await context.payloads.text(document.ref);
    if (current === text || (current !== null && !replace.includes(name))) continue;
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
}

/** The person's edits of spec and architecture since they were stored, as facts. A deleted file is no edit. */
export async function takeEdits(
  context: RunContext,
  key: string,
): Promise<readonly EventOf<"document.written">[]> {
  const edits: EventOf<"document.written">[] = [];
  for (const name of authored) {
    const known = context.session.view.documents[name];
    const text = await readText(documentPath(context, name));
    if (known === undefined || text === null) continue;
    const ref = await context.payloads.put(mask(text, context.host.secrets));
    if (ref !== known.ref) edits.push({ type: "document.written", name, ref, by: "person", key });
  }
  return edits;
}

async function readText(path: string): Promise<string | null> {
  // Not there: it was deleted or never written.
  return readFile(path, "utf8").catch(() => null);
}
