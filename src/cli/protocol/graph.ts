/** `mettle protocol graph NAME`: the protocol as Mermaid. */
import { loadProtocol } from "../../protocol/load.ts";
import { toMermaid } from "../../protocol/mermaid.ts";
import type { CliCommand } from "../command.ts";
import { libraryHere, named, sourceOf } from "./here.ts";

export const graph: CliCommand["run"] = async (io, [given]) => {
  const library = await libraryHere(io);
  const name = named(given);
  sourceOf(library, name);
  const text = toMermaid(loadProtocol(name, library.protocols));
  return { exit: 0, json: { name, mermaid: text }, text };
};
