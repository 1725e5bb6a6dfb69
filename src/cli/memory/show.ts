/** `mettle memory show ADDRESS`: prints a file of the memory bank, a field or a marked section. */
import { readAddress } from "../../memory/bank/lookup.ts";
import { readMemoryAddress } from "../../notation/memory-reference.ts";
import { safeText } from "../../lib/safe-text.ts";
import type { CommandHandler } from "../command.ts";
import { bankRoot } from "./bank-root.ts";

export const run: CommandHandler = async (io, given) => {
  const shown = await readAddress(await bankRoot(io.cwd), readMemoryAddress(given.need("address")));
  return { exit: 0, json: { ...shown }, text: safeText(shown.text) };
};
