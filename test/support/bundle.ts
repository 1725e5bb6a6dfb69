import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterFile } from "./folder.ts";

export interface Bundle {
  readonly file: string;
}

/**
 * Builds a program for a child process of a test, from TypeScript with imports relative to the repository root.
 * The file is in the repository, so that its packages are found.
 */
export async function bundleProgram(contents: string): Promise<Bundle> {
  const root = fileURLToPath(new URL("../../", import.meta.url));
  const builds = join(root, ".mettle-build");
  await mkdir(builds, { recursive: true });
  const folder = await mkdtemp(join(builds, "child-"));
  const file = join(folder, "child.mjs");
  await build({
    stdin: { contents, resolveDir: root, loader: "ts" },
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    outfile: file,
    logLevel: "error",
  });
  afterFile(() => rm(folder, { recursive: true, force: true }));
  return { file };
}
