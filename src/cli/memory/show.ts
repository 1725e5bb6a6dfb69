/** `mettle memory show ADDRESS`: a file of the memory bank, a field or a marked section. */
import { AppError } from "../../lib/errors.ts";
import { readAddress } from "../../memory/bank/lookup.ts";
import { readMemoryAddress } from "../../notation/reference.ts";
import { safeText } from "../../lib/safe-text.ts";
import type { CliCommand } from "../command.ts";
import { bankRoot } from "./bank-root.ts";

export const show: CliCommand["run"] = async (io, [address, ...more]) => {
  if (address === undefined || more.length > 0)
    throw new AppError("usage", "memory show takes one address", {
      hint: "mettle memory show σ₂, σ₂.tech_stack or σ₁:R1; s2.tech_stack means the same",
    });
  const shown = await readAddress(await bankRoot(io.cwd), readMemoryAddress(address));
  return { exit: 0, json: { ...shown }, text: safeText(shown.text) };
};
