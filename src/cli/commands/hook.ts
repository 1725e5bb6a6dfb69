/**
 * `mettle hook`: called by the hooks that init writes. Normally start.ts loads the hook's program directly; this command
 * provides its help and `--json`, and loads the program when called through main.ts.
 */
import { pathToFileURL } from "node:url";
import { packageRoot } from "../../config/package-root.ts";
import type { CommandHandler } from "../command.ts";

export const run: CommandHandler = async (io) => {
  if (!io.json) await import(pathToFileURL(packageRoot("dist/bin/hook.cjs")).href);
  return { exit: 0, json: {}, text: "" };
};
