import { AppError } from "../../lib/errors.ts";
import type { CommandHandler } from "../command.ts";
import { answerRun } from "../answer-run.ts";

export const run: CommandHandler = async (io, given) => {
  const text = (given.text("reason") ?? "").trim();
  if (text === "")
    throw new AppError("reason_required", "a rejection needs a reason", {
      hint: 'mettle reject RUN --reason "what is wrong"',
    });
  return answerRun({
    io,
    given: given.text("run"),
    matches: (ask) => ask.answers.includes("reject"),
    decide: async () => ({ outcome: "reject", text }),
  });
};
