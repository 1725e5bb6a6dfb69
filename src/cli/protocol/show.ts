/** `mettle protocol show NAME`: the protocol's file, and with --json what comes of it. */
import { loadProtocol } from "../../protocol/load.ts";
import type { Run } from "../command.ts";
import { libraryHere, sourceOf } from "./here.ts";

export const run: Run = async (io, given) => {
  const library = await libraryHere(io);
  const name = given.need("name");
  const text = new TextDecoder().decode(sourceOf(library, name).text).trimEnd();
  return { exit: 0, json: { protocol: loadProtocol(name, library.protocols) }, text };
};
