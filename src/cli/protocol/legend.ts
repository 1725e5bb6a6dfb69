/** `mettle protocol legend NAME`: explains the symbols of riper, dptr and protocols that extend them. */
import { AppError } from "../../lib/errors.ts";
import { loadProtocol } from "../../protocol/load.ts";
import { legendOf, printLegend } from "../../notation/legend.ts";
import { symbolSetOf } from "../../notation/modes.ts";
import type { CommandHandler } from "../command.ts";
import { loadLibrary, sourceOf } from "./library.ts";

export const run: CommandHandler = async (io, given) => {
  const library = await loadLibrary(io);
  const name = given.need("name");
  sourceOf(library, name);
  const protocol = loadProtocol(name, library.protocols);
  const symbolSet = symbolSetOf(protocol);
  if (symbolSet === null)
    throw new AppError("usage", `${name} has no symbols`, {
      hint: "mettle protocol legend riper|dptr",
    });
  const { groups, statuses } = legendOf(protocol, symbolSet);
  return { exit: 0, json: { name, groups, statuses }, text: printLegend({ groups, statuses }) };
};
