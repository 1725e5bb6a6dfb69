/** Removes the documents of runs from the main checkout. Files that no run wrote stay. */
import { readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { removeEmpty } from "../../git/worktree/repair.ts";
import { sha256 } from "../../lib/hash.ts";
import { mask } from "../../lib/mask.ts";
import type { RunView } from "../../log/run-view.ts";
import { documentFiles, documentFolder, gitignoreText } from "../../run/documents/names.ts";
import type { OpenHost } from "../../run/host.ts";
import { readPlainFile } from "../../lib/plain-file.ts";

/** Paths relative to the checkout. */
export interface CheckoutDocuments {
  readonly known: readonly string[];
  readonly edited: readonly string[];
}

export async function findDocuments(
  { repository, payloads, host }: OpenHost,
  views: readonly RunView[],
): Promise<CheckoutDocuments> {
  const folders = new Set(views.flatMap(({ started }) => (started ? [started.folder] : [])));
  const found = { known: [] as string[], edited: [] as string[] };
  for (const path of [...folders].flatMap((folder) =>
    Object.values(documentFiles).map((file) => join(folder, file)),
  )) {
    const text = await readPlainFile(join(repository.root, path));
    if (text === null) continue; // never written, or deleted
    const isKnown = await payloads.has(sha256(mask(text, host.secrets)));
    (isKnown ? found.known : found.edited).push(path);
  }
  return found;
}

export async function removeDocuments({ repository }: OpenHost, { known }: CheckoutDocuments): Promise<void> {
  for (const path of known) await rm(join(repository.root, path), { force: true });
  const folders = new Set(known.map((path) => dirname(path)));
  for (const folder of folders)
    if (folder !== documentFolder) await removeEmpty(join(repository.root, folder));
  const folder = join(repository.root, documentFolder);
  const left = await readdir(folder).catch(() => []); // no such folder
  if (left.length === 1 && ((await readPlainFile(join(folder, ".gitignore"))) ?? "") === gitignoreText)
    await rm(join(folder, ".gitignore"));
  await removeEmpty(folder);
  await removeEmpty(dirname(folder));
}
