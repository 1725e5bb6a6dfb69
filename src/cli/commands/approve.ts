import type { CliCommand } from "../command.ts";
import { answerRun } from "../answer-run.ts";

export const command: CliCommand = {
  define: (line) => line.argument("[run]", "id of the run (default: the newest)"),
  run: (io, [given]) =>
    answerRun({
      io,
      given,
      wants: (ask) => ask.answers.includes("approve"),
      say: async () => ({ outcome: "approve" }),
    }),
};
