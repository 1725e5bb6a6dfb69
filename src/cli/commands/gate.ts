/** `mettle gate NAME`: one gate of the protocols over two commits. Needs no run and changes nothing. */
import { AppError } from "../../lib/errors.ts";
import { gateNames } from "../../change/gate-names.ts";
import type { CommandHandler } from "../command.ts";
import { runGate } from "../run-gate.ts";

export const run: CommandHandler = async (io, given) => {
  const gate = gateNames.find((name) => name === given.need("gate"));
  if (gate === undefined)
    throw new AppError("usage", `there is no gate ${given.need("gate")}`, {
      hint: `gates: ${gateNames.join(", ")}`,
    });
  return runGate(io, gate, given);
};
