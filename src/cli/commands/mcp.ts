/**
 * `mettle mcp`: the MCP server, which is a program of its own beside this one. It is loaded by its path, since the two are
 * equals and neither imports the other; being loaded is being served, and ends when the client goes.
 */
import { pathToFileURL } from "node:url";
import { packageRoot } from "../../config/package-root.ts";
import { dispatchHere } from "../../runtime/channel/here.ts";
import type { CliCommand } from "../command.ts";

export const command: CliCommand = {
  define: () => undefined,
  async run({ json }) {
    // Its standard output belongs to the protocol; an object for programs says what would be offered.
    if (json) return { exit: 0, json: await offered(), text: "" };
    await import(pathToFileURL(packageRoot("dist/bin/mcp.js")).href);
    return { exit: 0, json: {}, text: "" };
  },
};

async function offered(): Promise<{ readonly tools: readonly string[]; readonly why: string | null }> {
  const here = await dispatchHere();
  return here.type === "dispatch" ? { tools: ["report"], why: null } : { tools: [], why: here.why };
}
