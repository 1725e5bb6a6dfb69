/** `mettle prove`: whether a change does what its tests say. Needs no run, and changes nothing. */
import type { Run } from "../command.ts";
import { answerGate } from "../gate-options.ts";

export const run: Run = (io, given) => answerGate(io, "prove", given);
