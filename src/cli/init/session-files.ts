/** What a session of Claude Code is given for a protocol: its slash commands, its sub-agents, and the tools in Mettle's server. */
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { expandPartials } from "../../protocol/template.ts";

/** Whose symbols the protocol speaks; null for orchestrate and all others, whose agents Mettle starts itself. */
export type SessionWire = "riper" | "dptr" | null;

/**
 * `commands/NAME.md` and `agents/NAME.md` -> text.
 * @param envoy those of Envoy too where a session has a protocol of its own; elsewhere they are always there
 */
export async function sessionFiles(
  shipped: string,
  wire: SessionWire,
  envoy = false,
): Promise<ReadonlyMap<string, string>> {
  const read = (...path: readonly string[]) => readFile(join(shipped, ...path), "utf8");
  const partials =
    wire === null
      ? { honesty: await read("orchestrate", "templates", "honesty.md") }
      : { turn: await read("dptr", "claude", "turn.md"), frame: await read("dptr", "claude", "frame.md") };
  // A later folder's file takes the place of an earlier one's.
  const own = wire === null ? ["orchestrate"] : wire === "dptr" ? ["dptr"] : ["dptr", "riper"];
  const folders = [...own, ...(wire === null || envoy ? ["envoy"] : [])];
  const found = new Map<string, string>();
  for (const folder of folders) {
    for (const kind of ["commands", "agents"]) {
      const names: readonly string[] = await readdir(join(shipped, folder, "claude", kind)).catch(() => []); // It adds none of them.
      for (const name of names.toSorted())
        found.set(`${kind}/${name}`, expandPartials(await read(folder, "claude", kind, name), partials));
    }
  }
  return found;
}
