import type { CommandHandler } from "../command.ts";
import { answerRun } from "../answer-run.ts";

export const run: CommandHandler = async (io, given) => {
  const run = given.text("run");
  const gate = given.text("gate");
  if (gate !== null) {
    const { acceptPromptReview } = await import("../accept-review.ts");
    return acceptPromptReview(io, {
      id: run ?? "",
      gate,
      reason: given.text("reason") ?? "",
    });
  }
  return answerRun({
    io,
    given: run,
    matches: (ask) => ask.answers.includes("approve"),
    decide: async () => ({ outcome: "approve" }),
  });
};
