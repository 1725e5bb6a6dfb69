/** `mettle prove`: whether a change does what its tests say. Needs no run, and changes nothing. */
import type { CliCommand } from "../command.ts";
import { answerGate, defineRevisions } from "../gate-options.ts";

export const command: CliCommand = {
  define: (line) => void defineRevisions(line),
  run: (io, _args, options) => answerGate(io, "prove", options),
};
