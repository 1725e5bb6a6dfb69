/** The spec that a graph begins with: `--spec FILE`, or standard input for `-` (V3-73). */
import { text } from "node:stream/consumers";
import { resolve } from "node:path";
import { outsideLinks } from "../git/links.ts";
import { headCommit } from "../git/repository.ts";
import type { OpenHost } from "../runtime/host.ts";
import type { RootSpec } from "../runtime/nodes/root.ts";
import { readSpec, readSpecFile, standardInput } from "../runtime/nodes/spec-file.ts";

export async function specFrom({ repository }: OpenHost, cwd: string, given: string): Promise<RootSpec> {
  const leaving = await outsideLinks(repository, await headCommit(repository));
  if (given !== standardInput) return readSpecFile(resolve(cwd, given), leaving);
  return { spec: readSpec({ file: given, text: await text(process.stdin) }, leaving), file: null };
}
