/**
 * Code that a project brings for OpenCode. It loads plugins of the project in the background whatever its settings and variables say
 * (seen on 1.18.33), so a coder could work in the process of its reviewer. Where there is any, no turn is started.
 */
import { dirname, join } from "node:path";
import { exists } from "../../lib/files.ts";
import { readPlainFile } from "../../lib/plain-file.ts";

const folders = [".opencode/plugin", ".opencode/plugins"];
const settings = ["opencode.json", "opencode.jsonc"].flatMap((name) => [name, join(".opencode", name)]);

/** The first file or folder with code, in `cwd` or above it in the same repository; null where there is none. */
export async function projectCode(cwd: string): Promise<string | null> {
  for (const name of folders) {
    const folder = join(cwd, name);
    if (await exists(folder)) return folder;
  }
  for (const name of settings) {
    const file = join(cwd, name);
    const text = (await readPlainFile(file)) ?? ""; // not there
    // Also what only looks like it: a comment costs less than a server that is started. An escape could spell either word.
    if (/plugin|mcp|\\u/iu.test(text)) return file;
  }
  const above = dirname(cwd);
  return above === cwd || (await exists(join(cwd, ".git"))) ? null : projectCode(above);
}
