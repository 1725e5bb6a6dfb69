import { existsSync } from "node:fs";
import { join } from "node:path";

/** The npm that started this process, else the one beside this Node, else the one on PATH. */
export function npm() {
  const caller = process.env.npm_execpath;
  const beside = join(process.execPath, "../../lib/node_modules/npm/bin/npm-cli.js");
  for (const cli of [caller, beside]) {
    if (cli?.endsWith("npm-cli.js") && existsSync(cli)) return [process.execPath, [cli]];
  }
  return ["npm", []];
}
