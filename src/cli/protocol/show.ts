/** `mettle protocol show NAME`: prints the protocol's file; with --json the resolved protocol. */
import { loadProtocol } from "../../protocol/load.ts";
import type { CommandHandler } from "../command.ts";
import { loadLibrary, sourceOf } from "./library.ts";

export const run: CommandHandler = async (io, given) => {
  const library = await loadLibrary(io);
  const name = given.need("name");
  const text = new TextDecoder().decode(sourceOf(library, name).text).trimEnd();
  return { exit: 0, json: { protocol: loadProtocol(name, library.protocols) }, text };
};
