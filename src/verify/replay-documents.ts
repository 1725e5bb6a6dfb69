/** Executes a document command again, on the documents of that time, in a separate checkout. */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { EvidenceRecord } from "../evidence/record.ts";
import type { RunView } from "../log/run-view.ts";
import { shellWords } from "../views/shell-words.ts";
import type { RunContext } from "../run/context.ts";
import { documentFiles } from "../run/documents/names.ts";
import { withCheckout } from "../proof/checkout/checkout.ts";
import { executeCommand } from "../proof/execute/execute-command.ts";
import { proofPorts } from "../run/proof-ports.ts";

interface ReplayRequest {
  readonly context: RunContext;
  readonly record: EvidenceRecord;
  /** The run as it was when the record was made. */
  readonly past: RunView;
  readonly signal: AbortSignal;
}

/** @returns the command if its exit code or output differs now */
export async function replayDocuments({
  context,
  record,
  past,
  signal,
}: ReplayRequest): Promise<readonly string[]> {
  const ports = proofPorts(context, signal);
  const { argv, purpose } = record;
  const request = { ports, files: [], committed: null };
  const draft = await withCheckout(request, async ({ path }) => {
    for (const [name, file] of Object.entries(documentFiles)) {
      const ref = past.documents[name]?.ref;
      const place = join(context.started.folder, file);
      if (ref === undefined || !argv.includes(place)) continue;
      await mkdir(dirname(join(path, place)), { recursive: true });
      await writeFile(join(path, place), await context.payloads.get(ref));
    }
    return (await executeCommand({ ports, purpose, argv, cwd: path })).draft;
  });
  const same = draft.exitCode === record.exitCode && draft.output === record.output;
  return same ? [] : [shellWords(argv)];
}
