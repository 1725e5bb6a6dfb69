/** The slash commands and sub-agents of a session of Claude Code for a protocol. */
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { expandPartials } from "../../protocol/template.ts";

/** The symbols that the protocol uses; null for protocols whose agents Mettle starts. */
export type SessionWire = "riper" | "dptr" | null;

/**
 * `commands/NAME.md` and `agents/NAME.md` -> text.
 * @param envoy include the files of Envoy; without a wire they are always included
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
  // A file of a later folder replaces one of an earlier folder.
  const own = wire === null ? ["orchestrate"] : wire === "dptr" ? ["dptr"] : ["dptr", "riper"];
  const folders = [...own, ...(wire === null || envoy ? ["envoy"] : [])];
  const found = new Map<string, string>();
  for (const folder of folders) {
    for (const kind of ["commands", "agents"]) {
      const names: readonly string[] = await readdir(join(shipped, folder, "claude", kind)).catch(() => []); // the folder has none
      for (const name of names.toSorted())
        found.set(`${kind}/${name}`, expandPartials(await read(folder, "claude", kind, name), partials));
    }
  }
  return found;
}
