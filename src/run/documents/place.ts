/** Refuses links in the path of the document folder: documents would be written among other files. */
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "../../lib/errors.ts";
import { listFiles } from "../../git/objects/tree.ts";
import type { Repository } from "../../git/repository.ts";
import { documentFolder } from "./names.ts";

const [parent = ""] = documentFolder.split("/");
const places = [parent, documentFolder];

/** Call before writing. @param root top level of a checkout or a workspace */
export async function refuseDocumentLink(root: string): Promise<void> {
  for (const place of places) {
    const found = await lstat(join(root, place)).catch(() => null); // made when it is first needed
    if (found !== null && !found.isDirectory()) throw noFolder(place);
  }
}

/** Call before a run starts. @param checkout whether documents are also written to the user's checkout */
export async function refuseNoDocumentFolder(
  repository: Repository,
  { base, checkout }: { readonly base: string; readonly checkout: boolean },
): Promise<void> {
  if (checkout) await refuseDocumentLink(repository.root);
  const file = (await listFiles(repository, base)).find(({ path }) => places.includes(path));
  if (file !== undefined) throw noFolder(file.path);
}

function noFolder(place: string): AppError {
  return new AppError(
    "state_unwritable",
    `${place} is a link or a file, and the documents of a run lie in ${documentFolder}`,
    {
      hint: `make ${place} a real folder, in the checkout and in the commit that the run starts from`,
    },
  );
}
