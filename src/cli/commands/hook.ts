/**
 * `mettle hook`: what the hooks that init writes call. The answer is that of a program of its own, which start.ts loads
 * before it would load this; here are its help and its words in `--json`, and who calls the other file comes through.
 */
import { pathToFileURL } from "node:url";
import { packageRoot } from "../../config/package-root.ts";
import type { Run } from "../command.ts";

export const run: Run = async (io) => {
  if (!io.json) await import(pathToFileURL(packageRoot("dist/bin/hook.cjs")).href);
  return { exit: 0, json: {}, text: "" };
};
