/** Runs a command on the documents: the proof of phases without tests (ORC-12, ORC-43). */
import { join } from "node:path";
import type { RunContext } from "../../run/context.ts";
import { documentFiles } from "../../run/documents/names.ts";
import type { RecordDraft } from "../../proof/draft.ts";
import { executeCommand } from "../../proof/execute/execute-command.ts";
import { proofPorts } from "../../run/proof-ports.ts";

export interface DocumentCommand {
  readonly context: RunContext;
  /** The program and its options; the documents' paths follow. */
  readonly argv: readonly string[];
  readonly documents: readonly string[];
  readonly signal: AbortSignal;
}

export async function executeDocumentCommand({
  context,
  argv,
  documents,
  signal,
}: DocumentCommand): Promise<RecordDraft> {
  const files = documents.map((name) => join(context.started.folder, documentFiles[name] ?? name));
  const { draft } = await executeCommand({
    ports: proofPorts(context, signal),
    purpose: "documents",
    argv: [...argv, ...files],
    cwd: context.repository.root,
  });
  return draft;
}
