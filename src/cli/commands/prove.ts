/** `mettle prove`: judges whether the tests of a change prove it. Needs no run and changes nothing. */
import type { CommandHandler } from "../command.ts";
import { runGate } from "../run-gate.ts";

export const run: CommandHandler = (io, given) => runGate(io, "prove", given);
