/** The spec that a graph begins with: `--spec FILE`, or standard input for `-` (V3-73). */
import { text } from "node:stream/consumers";
import { resolve } from "node:path";
import { linkOutOf } from "../git/links.ts";
import { headCommit } from "../git/repository.ts";
import type { Repository } from "../git/repository.ts";
import type { RootSpec } from "../runtime/nodes/root.ts";
import { readSpec, readSpecFile, standardInput } from "../runtime/nodes/spec-file.ts";

export async function specFrom(
  { repository }: { readonly repository: Repository },
  cwd: string,
  given: string,
): Promise<RootSpec> {
  const linkOut = await linkOutOf(repository, await headCommit(repository));
  if (given !== standardInput) {
    // Faults name it as the person did; the run knows it by its whole path.
    const { spec, file } = await readSpecFile(given, linkOut);
    return { spec, file: file && { ...file, path: resolve(cwd, given) } };
  }
  return { spec: readSpec({ file: given, text: await text(process.stdin) }, linkOut), file: null };
}
