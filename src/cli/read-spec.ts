/** The spec of a graph: `--spec FILE`, or standard input for `-` (V3-73). */
import { text } from "node:stream/consumers";
import { isAbsolute, relative, resolve } from "node:path";
import { filteredPathError, filtersInCheckout } from "../git/checkout/filters.ts";
import { commitLinkFinder } from "../git/links.ts";
import { headCommit } from "../git/repository.ts";
import type { Repository } from "../git/repository.ts";
import type { RootSpec } from "../family/start-options.ts";
import { readSpec, readSpecFile, standardInput } from "../families/graph/spec/spec-file.ts";

/** A spec that a clean filter decrypts in the checkout is refused, since agents read the spec. */
async function refuseFiltered(repository: Repository, file: string): Promise<void> {
  const path = relative(repository.checkout, file);
  if (path.startsWith("..") || isAbsolute(path)) return;
  const filter = (await filtersInCheckout(repository, [path])).get(path);
  if (filter !== undefined) throw filteredPathError([{ path, filter }]);
}

export async function specFrom(
  { repository }: { readonly repository: Repository },
  cwd: string,
  given: string,
): Promise<RootSpec> {
  const linkOut = await commitLinkFinder(repository, await headCommit(repository));
  if (given !== standardInput) {
    await refuseFiltered(repository, resolve(cwd, given));
    // Errors use the path as given; the run stores the absolute path.
    const { spec, file } = await readSpecFile(given, linkOut);
    return { spec, file: file && { ...file, path: resolve(cwd, given) } };
  }
  return { spec: readSpec({ file: given, text: await text(process.stdin) }, linkOut), file: null };
}
