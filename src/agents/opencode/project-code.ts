/**
 * Finds code that a project adds to OpenCode. OpenCode loads project plugins regardless of its settings and variables (seen on
 * 1.18.33), so a coder's code could run in the reviewer's process. With such code no turn is started.
 */
import { dirname, join } from "node:path";
import { exists } from "../../lib/files.ts";
import { readPlainFile } from "../../lib/plain-file.ts";

const folders = [".opencode/plugin", ".opencode/plugins"];
const settings = ["opencode.json", "opencode.jsonc"].flatMap((name) => [name, join(".opencode", name)]);

/** The first such file or folder, in `cwd` or above it in the same repository; null: none. */
export async function projectCode(cwd: string): Promise<string | null> {
  for (const name of folders) {
    const folder = join(cwd, name);
    if (await exists(folder)) return folder;
  }
  for (const name of settings) {
    const file = join(cwd, name);
    const text = (await readPlainFile(file)) ?? ""; // missing
    // A false alarm by a comment costs less than a started server. An escape sequence could spell either word.
    if (/plugin|mcp|\\u/iu.test(text)) return file;
  }
  const above = dirname(cwd);
  return above === cwd || (await exists(join(cwd, ".git"))) ? null : projectCode(above);
}
