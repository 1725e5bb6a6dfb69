/** `mettle protocol legend NAME`: what the symbols of riper and dptr mean, and of what extends them. */
import { AppError } from "../../lib/errors.ts";
import { loadProtocol } from "../../protocol/load.ts";
import { legendOf, printLegend } from "../../notation/legend.ts";
import { wireOf } from "../../notation/modes.ts";
import type { Run } from "../command.ts";
import { libraryHere, sourceOf } from "./here.ts";

export const run: Run = async (io, given) => {
  const library = await libraryHere(io);
  const name = given.need("name");
  sourceOf(library, name);
  const protocol = loadProtocol(name, library.protocols);
  const wire = wireOf(protocol);
  if (wire === null)
    throw new AppError("usage", `${name} speaks in words, not in symbols`, {
      hint: "mettle protocol legend riper|dptr",
    });
  const { groups, statuses } = legendOf(protocol, wire);
  return { exit: 0, json: { name, groups, statuses }, text: printLegend({ groups, statuses }) };
};
