import { AppError } from "../../lib/errors.ts";
import type { CliCommand } from "../command.ts";
import { answerRun } from "../answer-run.ts";

export const command: CliCommand = {
  define: (line) =>
    line
      .argument("[run]", "id of the run (default: the one that waits for it)")
      .option("--reason <text>", "what is wrong; goes to the agent"),
  run: async (io, [given], options) => {
    const text = typeof options["reason"] === "string" ? options["reason"].trim() : "";
    if (text === "")
      throw new AppError("reason_required", "a rejection needs a reason", {
        hint: 'mettle reject RUN --reason "what is wrong"',
      });
    return answerRun({
      io,
      given,
      wants: (ask) => ask.answers.includes("reject"),
      say: async () => ({ outcome: "reject", text }),
    });
  },
};
