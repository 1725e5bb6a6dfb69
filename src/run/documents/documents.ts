/**
 * The run's documents in the main checkout: a projection of the store, brought up to date whenever it is behind, and
 * written again when it was deleted (ORC-92). What a person edits there is taken in as a revision (ORC-71).
 */
import { mkdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { AppError } from "../../lib/errors.ts";
import { writeAtomically } from "../../lib/files.ts";
import { sha256 } from "../../lib/hash.ts";
import { mask } from "../../lib/mask.ts";
import { readPlainFile } from "../../lib/plain-file.ts";
import type { EventOf } from "../../log/run-event.ts";
import { openAsks } from "../../log/open-asks.ts";
import type { RunContext } from "../context.ts";
import { isOfWorkers } from "../run-host.ts";
import { refuseDocumentLink } from "./place.ts";
import { agentDocuments, documentFiles, documentFolder, gitignoreText } from "./names.ts";
import { storeText } from "../stored-text.ts";

/** Path of a document in the main checkout. */
export function documentPath({ repository, started }: RunContext, name: string): string {
  return join(repository.root, started.folder, documentFiles[name] ?? name);
}

/** Writes what is missing or out of date. A person's edit stays until a gate or an answer takes it in. */
export async function projectDocuments(context: RunContext): Promise<void> {
  if (!hasDocuments(context)) return;
  for (const name of Object.keys(documentFiles)) {
    const path = documentPath(context, name);
    const document = context.session.view.documents[name];
    const current = await readText(path);
    if (document === undefined) {
      if (current !== null && !isOfWorkers(context)) await putAside(context, { path, text: current });
      continue;
    }
    const ref = current === null ? null : addressOf(context, current);
    if (ref === document.ref || (ref !== null && isEdit(context, name, ref))) continue;
    await writeDocument(context, path, await context.payloads.text(document.ref));
  }
}

/** A protocol without documents leaves the folder alone. */
export function hasDocuments({ protocol }: Pick<RunContext, "protocol">): boolean {
  return Object.values(protocol.roles).some(({ writes }) => writes === "documents");
}

/** The person's edits of spec and architecture since they were stored, as facts. A deleted file is no edit. */
export async function takeEdits(
  context: RunContext,
  key: string,
): Promise<readonly EventOf<"document.written">[]> {
  const edits: EventOf<"document.written">[] = [];
  for (const name of agentDocuments) {
    const text = await readText(documentPath(context, name));
    if (text === null) continue;
    const ref = addressOf(context, text);
    if (!isEdit(context, name, ref)) continue;
    await storeText(context, text);
    edits.push({ type: "document.written", name, ref, by: "person", key });
  }
  return edits;
}

/**
 * Whether a person wrote the text that is there. An earlier version of the run is a projection that is behind,
 * unless the document is shown to a person now: then it was up to date when it was shown.
 */
function isEdit(context: RunContext, name: string, ref: string): boolean {
  if (isOfWorkers(context)) return false;
  const { view } = context.session;
  const known = view.documents[name];
  if (known === undefined || known.ref === ref || !(agentDocuments as readonly string[]).includes(name))
    return false;
  const isShown = openAsks(view).some(
    ({ key, shows }) => shows.includes(name) && view.asks[key] !== undefined,
  );
  return isShown || !(view.versions[name] ?? []).includes(ref);
}

function addressOf({ host }: RunContext, text: string): string {
  return sha256(mask(text, host.secrets));
}

/** A file of another run, or of a person, must not pass for a document that this run has not written (ORC-12). */
async function putAside(
  { session, payloads, host, started }: RunContext,
  { path, text }: { readonly path: string; readonly text: string },
): Promise<void> {
  const kept = mask(text, host.secrets);
  if (!(await payloads.has(sha256(kept)))) {
    const ref = await payloads.put(kept);
    const message = `${path} is no document of this run and was put aside; \`mettle show ${ref}\` prints it`;
    await session.record([{ type: "warned", code: "document_put_aside", message }]);
  }
  await rm(path, { force: true }).catch((cause: unknown) => unwritable(started.folder, cause));
}

/** In one step, so that a crash leaves no half document that looks like an edit. The folder hides itself from git. */
async function writeDocument({ repository, started }: RunContext, path: string, text: string): Promise<void> {
  const hidden = join(repository.root, documentFolder, ".gitignore");
  try {
    await refuseDocumentLink(repository.root);
    await mkdir(dirname(path), { recursive: true });
    if ((await readText(hidden)) === null) await writeAtomically(hidden, gitignoreText);
    await writeAtomically(path, text);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    unwritable(started.folder, cause);
  }
}

function unwritable(folder: string, cause: unknown): never {
  throw new AppError("state_unwritable", `the documents in ${folder} cannot be written`, {
    hint: "make the folder writable, then `mettle resume`",
    retry: "safe",
    cause,
  });
}

async function readText(path: string): Promise<string | null> {
  // Not there: it was deleted or never written.
  return readPlainFile(path);
}
