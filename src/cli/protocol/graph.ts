/** `mettle protocol graph NAME`: the protocol as Mermaid. */
import { loadProtocol } from "../../protocol/load.ts";
import { toMermaid } from "../../protocol/mermaid.ts";
import type { Run } from "../command.ts";
import { libraryHere, sourceOf } from "./here.ts";

export const run: Run = async (io, given) => {
  const library = await libraryHere(io);
  const name = given.need("name");
  sourceOf(library, name);
  const text = toMermaid(loadProtocol(name, library.protocols));
  return { exit: 0, json: { name, mermaid: text }, text };
};
