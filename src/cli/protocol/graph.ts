/** `mettle protocol graph NAME`: draws the protocol in Mermaid. */
import { loadProtocol } from "../../protocol/load.ts";
import { toMermaid } from "../../protocol/mermaid.ts";
import type { CommandHandler } from "../command.ts";
import { loadLibrary, sourceOf } from "./library.ts";

export const run: CommandHandler = async (io, given) => {
  const library = await loadLibrary(io);
  const name = given.need("name");
  sourceOf(library, name);
  const text = toMermaid(loadProtocol(name, library.protocols));
  return { exit: 0, json: { name, mermaid: text }, text };
};
